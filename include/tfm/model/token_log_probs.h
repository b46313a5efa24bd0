// Teacher forcing: a model reads given target sentences, and computes the log-probability of each
// target token, given the tokens before it. Validation sums the log-probabilities, and `tfm score`
// prints them.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <span>

#include "tfm/model/batch.h"
#include "tfm/model/model_folder.h"
#include "tfm/tensor/forward_context.h"

namespace tfm {

/// A padded batch of given targets, and the positions of the target tokens in it.
struct ForcedBatch {
  torch::Tensor source;        ///< [B, S] int64; S is at least 1
  torch::Tensor target_input;  ///< [B, T] int64
  torch::Tensor places;        ///< [N] indices of the target tokens in [B * T], example by example
  torch::Tensor targets;       ///< [N] the target tokens, eos included
};

/// Pads the examples at `indices`. Target tokens are found by the lengths of the rows, not by a
/// comparison with padding, because a model may use the id of padding also for another token.
ForcedBatch make_forced_batch(const Corpus& corpus, std::span<const std::int64_t> indices,
                              const TokenizerPair& tokenizers);

/// Returns the log-probability of each target token, [N] fp32 on the CPU. At most about 32 MB of
/// logits are computed at a time, because the logits of a whole batch may need more memory than a
/// training update. Must be called without gradients and in evaluation mode.
torch::Tensor token_log_probs(TranslationModel& model, const ForcedBatch& batch,
                              const ForwardContext& context = {});

}  // namespace tfm
