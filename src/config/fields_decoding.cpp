#include "section.h"

namespace tfm {

std::vector<Field> decoding_fields() {
  constexpr Section<DecodingConfig> decoding("decoding", &Config::decoding);
  return {
      decoding.integer("beam_size", &DecodingConfig::beam_size, {1, 1024}, "Hypotheses kept for each sentence at each step. 1: greedy search."),
      decoding.real("length_penalty", &DecodingConfig::length_penalty, {0, 10},
                    "Hypotheses are ordered by log-probability / length^alpha, where alpha is this field and the length counts the end mark (after "
                    "Wu et al. 2016, "
                    "section 7). 0: plain log-probability, which favours short translations."),
      decoding.integer("n_best", &DecodingConfig::n_best, {1, 1024}, "Translations given for each sentence, best first; at most beam_size."),
      decoding.integer("max_length", &DecodingConfig::max_length, {1, 1048576}, "Longest translation, in tokens without the end mark."),
      decoding.real("max_length_factor", &DecodingConfig::max_length_factor, {0, 1000},
                    "A translation has at most max_length_factor x source length + 10 tokens, and never more than max_length."),
      decoding.integer("no_repeat_ngram_size", &DecodingConfig::no_repeat_ngram_size, {0, 1024},
                       "No n-gram of this many tokens occurs twice in a translation. 0: repetition is allowed."),
      decoding.text("stop_token", &DecodingConfig::stop_token,
                    "A token of the target vocabulary, as it is stored there, with which a translation ends as it does with the end mark; it stays "
                    "in the text. Empty: only the end mark ends one."),
      decoding.text(
          "alignment_head", &DecodingConfig::alignment_head,
          "The cross-attention that word alignments are read from. LAYER:HEAD, both from 0; LAYER: the mean of that layer's heads; mean: of "
          "all layers and heads; auto: what training found best on its validation text, or mean where it found none."),
      decoding.choice("batch_type", &DecodingConfig::batch_type,
                      "What batch_size counts: tokens (sentences x the longest source sentence among them) or sentences."),
      decoding.integer("batch_size", &DecodingConfig::batch_size, at_least(1), "Size of a decoding batch. Lower it where memory runs out."),
      decoding.choice(
          "precision", &DecodingConfig::precision,
          "Numbers that matrix products are computed in. fp32; bf16: 8 bits of precision, for processors that multiply bf16 in hardware; int8: "
          "weights and activations in 8 bits with a scale a row (CPU only). auto: bf16 where the hardware has it, else fp32."),
  };
}

}  // namespace tfm
