// The attention of every layer over a batch of sentences and given translations of them.
#pragma once

#include <span>

#include "tfm/model/model_folder.h"
#include "tfm/translate/encoded_pair.h"

namespace tfm {

/// Rows are as PairAttention (tfm/translate/attention.h) describes them. Padding is at the end of
/// rows and columns.
AttentionMaps compute_attention(TranslationModel& model, std::span<const EncodedPair> pairs);

}  // namespace tfm
