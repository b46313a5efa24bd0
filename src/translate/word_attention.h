// Attention between words, and the links that follow from it.
#pragma once

#include <torch/types.h>

#include "tfm/metrics/alignment.h"
#include "tfm/model/model_folder.h"
#include "tfm/translate/encoded_pair.h"

namespace tfm {

/// Attention between words: weights [H, T, S] of one pair, a row for each target token and one for
/// the end mark (columns without source padding)
/// -> [H, target words, source words].
torch::Tensor word_attention(const TranslationModel& model, const EncodedPair& pair,
                             const torch::Tensor& weights, bool after_reading);

/// Each target word linked to its best source word: best [target words] int64.
WordAlignment links_from_argmax(const torch::Tensor& best);

}  // namespace tfm
