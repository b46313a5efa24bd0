#include "section.h"

namespace tfm {
namespace {

constexpr Section<DecodingConfig> decoding("decoding", &Config::decoding);

/// The effects of fields that a validation ignores: a validation needs only the best translation,
/// uses no shortlist and selects the alignment head itself.
constexpr Effects output{Effect::decoding_output};
constexpr Effects translation{Effect::decoding_output, Effect::score};
/// The effects of fields that define batches. They do not include Effect::score, because batches
/// change only the last digits of a validation score. (The field `reproducible` has Effect::score,
/// because it replaces bf16 by fp32.)
constexpr Effects batches{Effect::decoding_output, Effect::pair_score};
constexpr Effects translation_and_pairs{Effect::decoding_output, Effect::score, Effect::pair_score};

std::vector<Field> beam_fields() {
  return {
      decoding
          .integer(
              "beam_size", &DecodingConfig::beam_size, {1, 1024}, translation,
              "Number of hypotheses that are kept per sentence at each step. 1: greedy search, "
              "unless phrases are forced or coverage_penalty is set.")
          .with_alias("-b"),
      decoding
          .real("length_penalty", &DecodingConfig::length_penalty, {0, 10}, translation,
                "Exponent alpha of the length normalisation: hypotheses are ordered by "
                "log-probability / length^alpha, and the length includes the end-of-sentence token "
                "(after Wu et al. 2016, section 7). 0: plain log-probability, which favours short "
                "translations.")
          .with_alias("--normalize"),
      decoding.real("coverage_penalty", &DecodingConfig::coverage_penalty, {0, 10}, translation,
                    "Factor beta of the coverage penalty of beam search: beta x the sum over "
                    "source tokens of log(min(attention received, 1)) is added to the score of a "
                    "finished hypothesis. The attention is the mean of all cross-attention heads "
                    "(Wu et al. 2016, equation 14). 0: off."),
      decoding.integer("n_best", &DecodingConfig::n_best, {1, 1024}, output,
                       "Number of translations per sentence: the best ones, at most beam_size, or, "
                       "with sampling, independent samples."),
      decoding.integer(
          "beam_groups", &DecodingConfig::beam_groups, {1, 1024}, translation,
          "Number of groups of diverse beam search (Vijayakumar et al. 2016): the beam is divided "
          "into groups, each of which avoids the tokens that earlier groups chose at the same "
          "step. It must divide beam_size. 1: plain beam search."),
      decoding.real(
          "diversity_strength", &DecodingConfig::diversity_strength, {0, 100}, translation,
          "Penalty of diverse beam search: a token's log-probability is reduced by this value for "
          "each time that an earlier group chose the token. Only used if beam_groups is above 1."),
  };
}

std::vector<Field> length_fields() {
  return {
      decoding.integer("max_length", &DecodingConfig::max_length, {1, 1048576},
                       translation_and_pairs,
                       "Maximum length of a translation, in tokens without the end-of-sentence "
                       "token. tfm score does not score pairs with a longer side, unless "
                       "data.max_length of the model is larger."),
      decoding.real("max_length_factor", &DecodingConfig::max_length_factor, {0, 1000}, translation,
                    "Limits the length of a translation to max_length_factor x source length + 10 "
                    "tokens. max_length applies as well."),
      decoding.integer(
          "min_length", &DecodingConfig::min_length, {0, 1048576}, translation,
          "Minimum length of a translation, in tokens without the end-of-sentence token. A "
          "translation that reaches its maximum length may be shorter. 0: it may be empty."),
      decoding.integer("no_repeat_ngram_size", &DecodingConfig::no_repeat_ngram_size, {0, 1024},
                       translation,
                       "Length n, in tokens, of n-grams that must not occur twice in a "
                       "translation. 0: no limit."),
      decoding.real("repetition_penalty", &DecodingConfig::repetition_penalty, {0.01, 100},
                    translation,
                    "Factor of the log-probability of tokens that the translation already "
                    "contains, when hypotheses are compared or tokens are sampled (after Keskar et "
                    "al. 2019, section 4.1). Above 1: fewer repetitions. 1: off."),
  };
}

std::vector<Field> sampling_fields() {
  return {
      decoding.boolean("sampling", &DecodingConfig::sampling, translation,
                       "If true, translations are sampled token by token instead of searched with "
                       "a beam. n_best is the number of samples."),
      decoding.integer(
          "sampling_topk", &DecodingConfig::sampling_topk, {0, 1048576}, translation,
          "Number of most probable tokens from which the next token is sampled. 0: all tokens."),
      decoding.real("sampling_topp", &DecodingConfig::sampling_topp, {0, 1}, translation,
                    "Probability mass of nucleus sampling (Holtzman et al. 2020): the next token "
                    "is sampled from the most probable tokens that together have at least this "
                    "probability. It applies after temperature and sampling_topk. 1: all tokens."),
      decoding.real("temperature", &DecodingConfig::temperature, {0, 100}, translation,
                    "Divisor of the log-probabilities before a token is sampled. Below 1: more "
                    "probable tokens are preferred. 0: always the most probable token."),
      decoding.integer("seed", &DecodingConfig::seed, {0, 9007199254740992}, translation,
                       "Seed of sampling. The samples of a line depend on the seed, on the line "
                       "number and on the number of the sample, but not on other lines."),
  };
}

std::vector<Field> constraint_fields() {
  return {
      decoding.text("source_tag", &DecodingConfig::source_tag, translation_and_pairs,
                    "Token of the source vocabulary that every source sentence begins with, for "
                    "models that were trained with data.tags: <2fr> asks a model of several "
                    "languages for French. Empty: none."),
      decoding
          .text("source_language", &DecodingConfig::source_language, translation_and_pairs,
                "Language of the source, for models with data.language_tags: its code, such as de, "
                "or the tag itself, such as deu_Latn. Other models ignore it.")
          .with_alias("--from"),
      decoding
          .text("target_language", &DecodingConfig::target_language, translation_and_pairs,
                "Language to translate into, for models of several languages: its code, such as "
                "fr, or the tag itself, such as fra_Latn. Models with data.language_tags begin the "
                "translation with its tag; for others, it replaces source_tag: fr stands for "
                "<2fr>. Empty: source_tag applies.")
          .with_alias("--to"),
      decoding.text("target_prefix", &DecodingConfig::target_prefix, translation,
                    "Text in the target language with which every translation begins; it is part "
                    "of the translation. Empty: no prefix."),
      decoding.list("forced_phrases", &DecodingConfig::forced_phrases, translation,
                    "Phrases that every translation contains, as the tokenizer segments them "
                    "(dynamic beam allocation, Post and Vilar 2018). Use a beam of 8 or more."),
      decoding.list("forbidden_phrases", &DecodingConfig::forbidden_phrases, translation,
                    "Phrases that must not occur in a translation, as the tokenizer segments them. "
                    "The same letters in another segmentation are not recognised."),
      decoding.choice("ensemble_mean", &DecodingConfig::ensemble_mean, translation_and_pairs,
                      "Quantity that is averaged when several models translate together: their "
                      "probabilities, or their log-probabilities, with which a token that is "
                      "impossible for one model stays impossible."),
      decoding.text("stop_token", &DecodingConfig::stop_token, translation,
                    "Token of the target vocabulary, as stored there, that ends a translation as "
                    "the end-of-sentence token does. It remains in the text. Empty: only the "
                    "end-of-sentence token ends a translation."),
  };
}

std::vector<Field> text_fields() {
  return {
      decoding.boolean("keep_markup", &DecodingConfig::keep_markup, translation,
                       "If true, tags, comments, addresses and placeholders ({name}, %s) are "
                       "removed before translation and put back by word alignment, each exactly "
                       "once. Entities (&amp;) are decoded before translation and encoded again "
                       "after it."),
      decoding.boolean("replace_unknown", &DecodingConfig::replace_unknown, translation,
                       "If true, translations may contain the unknown token, which is then "
                       "replaced by the source word to which it is aligned (Luong et al. 2015)."),
      decoding.text(
          "unknown_dictionary", &DecodingConfig::unknown_dictionary, translation,
          "Dictionary for replace_unknown: a file whose lines have a source word, a tab and its "
          "translation, which is used instead of the source word. Empty: no dictionary."),
      decoding.text("alignment_head", &DecodingConfig::alignment_head, output,
                    "Cross-attention from which word alignments are computed, with layers and "
                    "heads counted from 0. LAYER:HEAD: one head. LAYER: the mean of the layer's "
                    "heads. mean: the mean of all layers and heads. auto: the head that training "
                    "found best on the validation set, or mean if it found none."),
  };
}

std::vector<Field> sentence_batch_fields() {
  return {
      decoding.choice("batch_type", &DecodingConfig::batch_type, batches,
                      "Unit of batch_size: tokens (sentences x the longest source sentence among "
                      "them) or sentences."),
      decoding.integer_or_keyword(
          "batch_size", &DecodingConfig::batch_size,
          {at_least(1), "auto", DecodingConfig::automatic_batch_size}, batches,
          "Size of a decoding batch. A smaller batch needs less memory. auto: 4096 tokens or 128 "
          "sentences; for translation on a GPU up to 16 times as many, if half of its free "
          "memory is enough for them."),
      decoding.choice("split_sentences", &DecodingConfig::split_sentences, translation,
                      "Splits lines into sentences, which are translated separately and joined "
                      "again. auto: only lines longer than data.max_length, into segments of as "
                      "many complete sentences as fit. always: every line, sentence by sentence. "
                      "never: lines that are too long are cut into equal parts."),
      decoding.text("shortlist", &DecodingConfig::shortlist, output,
                    "Target tokens that a batch may use. none: all tokens. auto: frequent tokens "
                    "and possible translations of its source tokens, from shortlist.safetensors in "
                    "the model folder (written by tfm shortlist). Otherwise: the path of such a "
                    "file. A shortlist saves more time with a larger vocabulary."),
      decoding.boolean(
          "reproducible", &DecodingConfig::reproducible, translation,
          "If true, decoding is batch-invariant: the translation and scores of a line are the "
          "same, bit for bit, whatever the other lines of its batch, their order and batch_size "
          "are. It is slower. If false, the last digits may differ."),
      decoding.choice(
          "precision", &DecodingConfig::precision, translation_and_pairs,
          "Data type of matrix multiplications. fp32: full precision. bf16: 8 bits of precision, "
          "for GPUs and for CPUs that multiply bf16 in hardware. fp16: 11 bits, of a smaller "
          "range (GPU only). int8: weights and activations in 8 bits, with one scale per row (CPU "
          "only). auto: bf16 on a GPU, or fp16 if it has no bf16 (compute capability below 8.0); "
          "bf16 on a CPU that multiplies bf16 in hardware if model.hidden_size is at least 128; "
          "otherwise fp32."),
  };
}

}  // namespace

std::vector<Field> decoding_fields() {
  std::vector<Field> table;
  for (const auto& part : {beam_fields(), length_fields(), sampling_fields(), constraint_fields(),
                           text_fields(), sentence_batch_fields()}) {
    table.insert(table.end(), part.begin(), part.end());
  }
  return table;
}

}  // namespace tfm
