// Computes the attention weights of every layer for a batch of sentences with given translations.
#pragma once

#include <span>

#include "tfm/model/model_folder.h"
#include "tfm/translate/encoded_pair.h"

namespace tfm {

/// Returns the attention maps of the pairs. Rows are defined as in PairAttention
/// (tfm/translate/attention.h); padding is at the end of rows and columns.
AttentionMaps compute_attention(TranslationModel& model, std::span<const EncodedPair> pairs);

}  // namespace tfm
