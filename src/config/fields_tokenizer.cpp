#include "section.h"

namespace tfm {
namespace {

constexpr Section<TokenizerConfig> tokenizer("tokenizer", &Config::tokenizer);

std::vector<Field> vocabulary_fields() {
  return {
      tokenizer.choice("kind", &TokenizerConfig::kind, shape,
                       "Kind of tokens. sentencepiece: subwords of raw text (Kudo and Richardson "
                       "2018). word: the words between white space, for text that is already "
                       "tokenized. pieces: a SentencePiece model segments the text and a separate "
                       "list gives the ids, as in imported models; it cannot be learnt."),
      tokenizer.choice("algorithm", &TokenizerConfig::algorithm, shape,
                       "Algorithm with which SentencePiece learns subwords: bpe (Sennrich et al. "
                       "2016) or unigram (Kudo 2018). Only for kind sentencepiece."),
      tokenizer.boolean("joint", &TokenizerConfig::joint, shape,
                        "If true, source and target share one vocabulary, learnt from both sides. "
                        "model.tied_embeddings: all needs it."),
      tokenizer.integer_or_keyword(
          "vocab_size", &TokenizerConfig::vocab_size,
          {{4, 10000000}, "auto", TokenizerConfig::automatic_size}, shape,
          "Number of tokens of a learnt vocabulary, with the special tokens; if joint is false, of "
          "each vocabulary. With kind word it is the maximum. auto: a new run chooses a number for "
          "the amount of its training data, as `tfm config init` does, and writes it to its "
          "config; with kind word it is the default."),
      tokenizer.integer("min_count", &TokenizerConfig::min_count, at_least(1), shape,
                        "Words that occur less often than this in the training data are not added "
                        "to the vocabulary. Only for kind word."),
      tokenizer.real("character_coverage", &TokenizerConfig::character_coverage, {0.98, 1}, shape,
                     "Share of the characters of the training data that the SentencePiece "
                     "vocabulary must cover; the rarest others become unknown. 1 suits alphabets, "
                     "0.9995 suits Chinese and Japanese. Only for kind sentencepiece."),
      tokenizer.boolean("byte_fallback", &TokenizerConfig::byte_fallback, shape,
                        "If true, a character outside the vocabulary is encoded as its UTF-8 bytes "
                        "instead of the unknown token, which takes 256 entries of the vocabulary. "
                        "Only for kind sentencepiece."),
      tokenizer.boolean("split_digits", &TokenizerConfig::split_digits, shape,
                        "If true, every digit is a token of its own in a SentencePiece vocabulary "
                        "that the run learns, so that numbers are copied digit by digit."),
      tokenizer.text("normalization", &TokenizerConfig::normalization, shape,
                     "How a SentencePiece vocabulary that the run learns normalises text: nmt_nfkc "
                     "(NFKC, and other spaces become a space), nfkc, both with _cf (case folding, "
                     "which loses upper case), identity (no change), or a file of SentencePiece's "
                     "rules (.tsv)."),
      tokenizer.list("symbols", &TokenizerConfig::symbols, shape,
                     "Texts that a SentencePiece vocabulary that the run learns has as one token "
                     "each, and that are never split: placeholders such as <num>. The tags of "
                     "data.tags are added by themselves."),
      tokenizer.list("control_symbols", &TokenizerConfig::control_symbols, shape,
                     "Further tokens that a SentencePiece vocabulary that the run learns has. No "
                     "text is encoded to them, and decoding skips them: they reserve ids for later "
                     "use, such as fine-tuning, or for programs that make token ids themselves."),
      tokenizer.integer("sample_pairs", &TokenizerConfig::sample_pairs, {1, 1'000'000'000}, shape,
                        "Number of pairs of the training data that the vocabulary is learnt from. "
                        "A larger text is sampled uniformly, which bounds the memory and the time "
                        "of learning."),
      tokenizer.text("source_vocab", &TokenizerConfig::source_vocab, shape,
                     "Existing source vocabulary: for kind word a file with one token per line, "
                     "for kind sentencepiece a .model file, for kind pieces a .model file with its "
                     ".vocab in the same folder. With joint it serves both sides; for kind pieces, "
                     "each side has its own .model, and joint means that both have the same list. "
                     "Empty: the vocabulary is learnt from the training data."),
      tokenizer.text("target_vocab", &TokenizerConfig::target_vocab, shape,
                     "Existing target vocabulary, in the format of source_vocab. If joint is true, "
                     "it is empty or the same file as source_vocab, except for kind pieces. Empty: "
                     "the vocabulary is learnt from the training data."),
  };
}

std::vector<Field> special_fields() {
  return {
      tokenizer.text(
          "pad_token", &TokenizerConfig::pad_token, shape,
          "Token that fills up shorter sentences of a batch. The model does not attend to it."),
      tokenizer.text("bos_token", &TokenizerConfig::bos_token, shape,
                     "Begin-of-sentence token, from which the decoder starts."),
      tokenizer.text("eos_token", &TokenizerConfig::eos_token, shape,
                     "End-of-sentence token. It ends every target sentence and, if data.source_eos "
                     "is true, every source sentence."),
      tokenizer.text("unk_token", &TokenizerConfig::unk_token, shape,
                     "Unknown token, which replaces everything that the vocabulary does not cover. "
                     "A word list may be without it."),
  };
}

}  // namespace

std::vector<Field> tokenizer_fields() {
  std::vector<Field> table = vocabulary_fields();
  for (const Field& field : special_fields()) table.push_back(field);
  return table;
}

}  // namespace tfm
