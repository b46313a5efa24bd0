#include "section.h"

namespace tfm {
namespace {

constexpr Section<TokenizerConfig> tokenizer("tokenizer", &Config::tokenizer);

std::vector<Field> vocabulary_fields() {
  return {
      tokenizer.choice("kind", &TokenizerConfig::kind, shape,
                       "How text becomes tokens. sentencepiece: subwords of raw text (Kudo and "
                       "Richardson 2018). word: whatever stands between "
                       "whitespace, for text that is already tokenized. pieces: a SentencePiece "
                       "model divides text and a list numbers its pieces, as in "
                       "imported models; it is never learnt."),
      tokenizer.choice("algorithm", &TokenizerConfig::algorithm, shape,
                       "How SentencePiece learns subwords: bpe (Sennrich et al. 2016) or unigram "
                       "(Kudo 2018). Only for kind sentencepiece."),
      tokenizer.boolean("joint", &TokenizerConfig::joint, shape,
                        "Whether source and target share one vocabulary, learnt from both sides. "
                        "Needed for model.tied_embeddings all."),
      tokenizer.integer("vocab_size", &TokenizerConfig::vocab_size, {4, 10000000}, shape,
                        "Tokens of a vocabulary that is learnt, special tokens included; for each "
                        "side where joint is false. With kind word it is "
                        "the most there may be."),
      tokenizer.integer("min_count", &TokenizerConfig::min_count, at_least(1), shape,
                        "Words seen less often than this in the training text stay out of the "
                        "vocabulary. Only for kind word."),
      tokenizer.real(
          "character_coverage", &TokenizerConfig::character_coverage, {0.9, 1}, shape,
          "Share of the training text's characters that SentencePiece's vocabulary must cover; the "
          "rarest beyond it become unknown. 1 "
          "suits alphabets, 0.9995 suits Chinese or Japanese. Only for kind sentencepiece."),
      tokenizer.boolean("byte_fallback", &TokenizerConfig::byte_fallback, shape,
                        "Whether a character outside the vocabulary is spelt as its UTF-8 bytes "
                        "instead of as the unknown token; costs 256 entries "
                        "of the vocabulary. Only for kind sentencepiece."),
      tokenizer.text("source_vocab", &TokenizerConfig::source_vocab, shape,
                     "The source vocabulary to use instead of learning one: for kind word a file "
                     "with one token a line, for kind sentencepiece an "
                     "existing .model, for kind pieces a .model with its .vocab beside it. With "
                     "joint it serves both sides, except for kind pieces, where "
                     "each side has its own .model and both have one list. Empty: learn it from "
                     "the training text."),
      tokenizer.text("target_vocab", &TokenizerConfig::target_vocab, shape,
                     "The target vocabulary to use instead of learning one, as source_vocab. Where "
                     "joint is true, empty or the same file as source_vocab."),
  };
}

std::vector<Field> special_fields() {
  return {
      tokenizer.text(
          "pad_token", &TokenizerConfig::pad_token, shape,
          "The token that fills shorter sentences of a batch; the model never attends to it."),
      tokenizer.text("bos_token", &TokenizerConfig::bos_token, shape,
                     "The token that the decoder starts from."),
      tokenizer.text("eos_token", &TokenizerConfig::eos_token, shape,
                     "The token that ends every target sentence, and every source sentence where "
                     "data.source_eos is true."),
      tokenizer.text("unk_token", &TokenizerConfig::unk_token, shape,
                     "The token that stands for whatever the vocabulary does not cover. A "
                     "vocabulary file may lack it."),
  };
}

}  // namespace

std::vector<Field> tokenizer_fields() {
  std::vector<Field> table = vocabulary_fields();
  for (const Field& field : special_fields()) table.push_back(field);
  return table;
}

}  // namespace tfm
