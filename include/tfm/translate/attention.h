// What a model attends to in a sentence and a given translation of it, as plain numbers. The
// network runs once over both, as in training.
#pragma once

#include <cstdint>
#include <vector>

#include "tfm/translate/encoded_pair.h"

namespace tfm {

/// Probabilities [L, H, T, S], row-major: layers, heads, queries, keys.
struct AttentionArray {
  std::int64_t layers = 0;
  std::int64_t heads = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<float> values;
};

/// S source tokens with their end mark, T target tokens with one mark. Row t of decoder and cross
/// is what predicts target token t (the last one the end mark), after reading the begin mark and
/// tokens 0 to t - 1.
struct PairAttention {
  AttentionArray encoder;  ///< [L, H, S, S]
  AttentionArray decoder;  ///< [L, H, T, T]
  AttentionArray cross;    ///< [L, H, T, S]
};

PairAttention compute_pair_attention(TranslationModel& model, const EncodedPair& pair);

}  // namespace tfm
