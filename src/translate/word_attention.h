// Attention between words, and the word links derived from that attention.
#pragma once

#include <torch/types.h>

#include "tfm/metrics/alignment.h"
#include "tfm/model/model_folder.h"
#include "tfm/translate/encoded_pair.h"

namespace tfm {

/// Sums the attention between tokens to attention between words. `weights` [H, T, S] of one pair
/// has one row per target token and one for eos; padding is ignored. If `shifted` is set, the row
/// after that of a token, which has read the token, is used as its attention. Returns [H, target
/// words, source words].
torch::Tensor word_attention(const TranslationModel& model, const EncodedPair& pair,
                             const torch::Tensor& weights, bool shifted);

/// Links each target word to its best source word, given by `best` [target words] int64.
WordAlignment links_from_argmax(const torch::Tensor& best);

}  // namespace tfm
