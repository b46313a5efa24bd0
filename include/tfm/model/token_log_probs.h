// Teacher forcing: a model reads given target sentences token by token and gives each token the
// log-probability with which it would have written it. Validation sums them, and `tfm score` prints
// them.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <span>

#include "tfm/model/batch.h"
#include "tfm/model/model_folder.h"
#include "tfm/tensor/forward_context.h"

namespace tfm {

/// A padded batch and the positions of its target tokens.
struct ForcedBatch {
  torch::Tensor source;        ///< [B, S] int64; S is at least 1
  torch::Tensor target_input;  ///< [B, T] int64
  torch::Tensor places;        ///< [N] indices of the target tokens in [B * T], example by example
  torch::Tensor targets;       ///< [N] the target tokens, eos included
};

/// Pads the examples at `indices`. Finds target tokens by the lengths of the rows instead of
/// comparing with padding, because a model may use the padding's id for another token too.
ForcedBatch make_forced_batch(const Corpus& corpus, std::span<const std::int64_t> indices,
                              const TokenizerPair& tokenizers);

/// Returns log p of each target token, [N] fp32 on the CPU. Computes at most about 32 MB of logits
/// at a time, because those of a whole batch may need more memory than an update. Call it without
/// gradients and in evaluation mode.
torch::Tensor token_log_probs(TranslationModel& model, const ForcedBatch& batch,
                              const ForwardContext& context = {});

}  // namespace tfm
