#include "section.h"

namespace tfm {
namespace {

constexpr Section<DecodingConfig> decoding("decoding", &Config::decoding);

/// Fields that `tfm translate` alone knows: a validation looks at the best translation, uses no
/// shortlist and chooses its own alignment head.
constexpr Effects output{Effect::decoding_output};
constexpr Effects translation{Effect::decoding_output, Effect::score};
/// Sizes of batches. They change last digits at most, for which a run does not score its model
/// anew.
constexpr Effects batches{Effect::decoding_output, Effect::pair_score};
constexpr Effects of_both{Effect::decoding_output, Effect::score, Effect::pair_score};

std::vector<Field> beam_fields() {
  return {
      decoding
          .integer("beam_size", &DecodingConfig::beam_size, {1, 1024}, translation,
                   "Hypotheses kept for each sentence at each step. 1: greedy search.")
          .with_alias("-b"),
      decoding
          .real("length_penalty", &DecodingConfig::length_penalty, {0, 10}, translation,
                "Hypotheses are ordered by log-probability / length^alpha, where alpha is this "
                "field and the length counts the end mark (after "
                "Wu et al. 2016, "
                "section 7). 0: plain log-probability, which favours short translations.")
          .with_alias("--normalize"),
      decoding.real("coverage_penalty", &DecodingConfig::coverage_penalty, {0, 10}, translation,
                    "Beam search adds beta x sum over source tokens of log(min(attention received, "
                    "1)) to a finished hypothesis' score, where beta is "
                    "this field and the attention is the mean of all cross-attention heads (Wu et "
                    "al. 2016, equation 14). 0: off."),
      decoding.integer("n_best", &DecodingConfig::n_best, {1, 1024}, output,
                       "Translations given for each sentence: best first and at most beam_size, "
                       "or, with sampling, independent ones as they were drawn."),
      decoding.integer(
          "beam_groups", &DecodingConfig::beam_groups, {1, 1024}, translation,
          "Diverse beam search (Vijayakumar et al. 2016): the beam is divided into so many groups, "
          "of which each avoids the tokens that the "
          "groups before it chose at the same step. Must divide beam_size. 1: plain beam search."),
      decoding.real("diversity_strength", &DecodingConfig::diversity_strength, {0, 100},
                    translation,
                    "With several beam_groups: what each choice of a token by an earlier group "
                    "takes off the token's log-probability."),
  };
}

std::vector<Field> length_fields() {
  return {
      decoding.integer("max_length", &DecodingConfig::max_length, {1, 1048576}, of_both,
                       "Longest translation, in tokens without the end mark."),
      decoding.real("max_length_factor", &DecodingConfig::max_length_factor, {0, 1000}, translation,
                    "A translation has at most max_length_factor x source length + 10 tokens, and "
                    "never more than max_length."),
      decoding.integer("min_length", &DecodingConfig::min_length, {0, 1048576}, translation,
                       "Shortest translation, in tokens without the end mark; one that the longest "
                       "length cuts may be shorter. 0: it may be empty."),
      decoding.integer(
          "no_repeat_ngram_size", &DecodingConfig::no_repeat_ngram_size, {0, 1024}, translation,
          "No n-gram of this many tokens occurs twice in a translation. 0: repetition is allowed."),
      decoding.real("repetition_penalty", &DecodingConfig::repetition_penalty, {0.01, 100},
                    translation,
                    "The log-probability of a token that the translation already contains is "
                    "multiplied by this where hypotheses are compared and "
                    "tokens are drawn (after Keskar et al. 2019, section 4.1). Above 1: fewer "
                    "repetitions. 1: off."),
  };
}

std::vector<Field> sampling_fields() {
  return {
      decoding.boolean("sampling", &DecodingConfig::sampling, translation,
                       "Draw translations at random, token by token, instead of searching for the "
                       "likeliest. n_best says how many."),
      decoding.integer("sampling_topk", &DecodingConfig::sampling_topk, {0, 1048576}, translation,
                       "Draw among the so many likeliest tokens only. 0: among all."),
      decoding.real("sampling_topp", &DecodingConfig::sampling_topp, {0, 1}, translation,
                    "Draw among the likeliest tokens that together have at least this probability "
                    "(nucleus sampling, Holtzman et al. 2020); after "
                    "temperature and sampling_topk. 1: among all."),
      decoding.real("temperature", &DecodingConfig::temperature, {0, 100}, translation,
                    "Log-probabilities are divided by this before a token is drawn. Below 1: "
                    "closer to the likeliest; 0: the likeliest itself."),
      decoding.integer("seed", &DecodingConfig::seed, {0, 9007199254740992}, translation,
                       "What is drawn for a line depends on this, on the line's number in the "
                       "input and on which of the n_best it is, not on other lines."),
  };
}

std::vector<Field> constraint_fields() {
  return {
      decoding.text("target_prefix", &DecodingConfig::target_prefix, translation,
                    "How every translation begins: text in the target language, which is part of "
                    "the translation. Empty: as the model likes."),
      decoding.list("forced_phrases", &DecodingConfig::forced_phrases, translation,
                    "Phrases that every translation contains, as the tokenizer divides them "
                    "(dynamic beam allocation, Post and Vilar 2018). Wants a beam "
                    "of 8 or more."),
      decoding.list("forbidden_phrases", &DecodingConfig::forbidden_phrases, translation,
                    "Phrases that no translation contains, as the tokenizer divides them; the same "
                    "letters in other subwords are not found."),
      decoding.choice("ensemble_mean", &DecodingConfig::ensemble_mean, of_both,
                      "What is averaged where several models translate together: their "
                      "probabilities, or their log-probabilities, where a token that one "
                      "of them finds impossible stays so."),
      decoding.text("stop_token", &DecodingConfig::stop_token, translation,
                    "A token of the target vocabulary, as it is stored there, with which a "
                    "translation ends as it does with the end mark; it stays "
                    "in the text. Empty: only the end mark ends one."),
  };
}

std::vector<Field> text_fields() {
  return {
      decoding.boolean(
          "keep_markup", &DecodingConfig::keep_markup, translation,
          "Tags, comments and placeholders ({name}, %s) are taken out of a line before it is "
          "translated and put back by word alignment, "
          "each exactly once; entities (&amp;) become characters, and characters entities again."),
      decoding.boolean("replace_unknown", &DecodingConfig::replace_unknown, translation,
                       "The unknown token may occur in translations and is replaced by the source "
                       "word that it is aligned to (Luong et al. 2015)."),
      decoding.text("unknown_dictionary", &DecodingConfig::unknown_dictionary, translation,
                    "With replace_unknown: a file whose lines are a source word, a tab and its "
                    "translation, which goes before the word itself. Empty: "
                    "none."),
      decoding.text("alignment_head", &DecodingConfig::alignment_head, output,
                    "The cross-attention that word alignments are read from. LAYER:HEAD, both from "
                    "0; LAYER: the mean of that layer's heads; mean: of "
                    "all layers and heads; auto: what training found best on its validation text, "
                    "or mean where it found none."),
  };
}

std::vector<Field> sentence_batch_fields() {
  return {
      decoding.choice("batch_type", &DecodingConfig::batch_type, batches,
                      "What batch_size counts: tokens (sentences x the longest source sentence "
                      "among them) or sentences."),
      decoding.integer("batch_size", &DecodingConfig::batch_size, at_least(1), batches,
                       "Size of a decoding batch. Lower it where memory runs out."),
      decoding.choice("split_sentences", &DecodingConfig::split_sentences, translation,
                      "Where a line is divided into sentences that are translated by themselves "
                      "and joined again. auto: where it is longer than "
                      "data.max_length, into parts of as many whole sentences as fit; always: "
                      "every line, sentence by sentence; never: a longer "
                      "line is cut into equal parts."),
      decoding.text("shortlist", &DecodingConfig::shortlist, output,
                    "Which target tokens a batch may use. none: all; auto: those that may "
                    "translate one of its source tokens, and frequent ones, by the "
                    "model folder's shortlist.safetensors (tfm shortlist makes it); or another "
                    "such file. Faster the larger the vocabulary is."),
      decoding.boolean("reproducible", &DecodingConfig::reproducible, translation,
                       "A line's translation and scores don't depend, bit for bit, on the lines "
                       "that are translated with it, their order or "
                       "batch_size. Slower; without it, the last digits may differ."),
      decoding.choice("precision", &DecodingConfig::precision, of_both,
                      "Numbers that matrix products are computed in. fp32; bf16: 8 bits of "
                      "precision, for processors that multiply bf16 in hardware; int8: "
                      "weights and activations in 8 bits with a scale a row (CPU only). auto: bf16 "
                      "where the hardware has it, else fp32."),
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
