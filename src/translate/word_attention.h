// Attention between words, and the word links derived from that attention.
#pragma once

#include <torch/types.h>

#include "tfm/model/model_folder.h"
#include "tfm/text/word_alignment.h"
#include "tfm/translate/encoded_pair.h"

namespace tfm {

/// Sums the attention between tokens into attention between words, [H, target words, source words].
/// `weights` [H, T, S] of one pair has one row per token that the decoder reads (decoder_input);
/// padding is ignored. If `shifted` is set, the attention of a token is the row of the next decoder
/// step, which has read the token (AlignmentHead::shifted).
torch::Tensor word_attention(const TranslationModel& model, const EncodedPair& pair,
                             const torch::Tensor& weights, bool shifted);

/// Links target word i to source word best[i]; `best` has shape [target words] and type int64.
WordAlignment links_from_argmax(const torch::Tensor& best);

}  // namespace tfm
