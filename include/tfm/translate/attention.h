// The attention weights of a model for a sentence and a given translation, as plain arrays. They
// are computed in a single forward pass over the whole translation, as in training.
#pragma once

#include <cstdint>
#include <vector>

#include "tfm/translate/encoded_pair.h"

namespace tfm {

/// Attention probabilities [L, H, T, S], row-major: layers, heads, queries, keys.
struct AttentionArray {
  std::int64_t layers = 0;
  std::int64_t heads = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<float> values;
};

/// The attention of one sentence pair. S is the number of source tokens, including those of the
/// frame (SentenceFrame); T is the number of tokens that the decoder reads (decoder_input). Row t
/// of `decoder` and `cross` belongs to the step that has read tokens 0 to t of these, and predicts
/// token t + 1. The last row predicts eos.
struct PairAttention {
  AttentionArray encoder;  ///< [L, H, S, S]
  AttentionArray decoder;  ///< [L, H, T, T]
  AttentionArray cross;    ///< [L, H, T, S]
};

/// Computes the attention weights of every layer and head for the pair.
PairAttention compute_pair_attention(TranslationModel& model, const EncodedPair& pair);

}  // namespace tfm
