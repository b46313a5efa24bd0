// The training objective: the label-smoothed cross-entropy of a batch, or the loss of two
// predictions of the batch with one of the consistency regularisers:
//   R-Drop (Liang et al. 2021)  two passes that differ in dropout. The loss is half of that in
//                               section 2 of the paper:
//                               (CE1 + CE2) / 2 + r_drop / 4 (KL(1 || 2) + KL(2 || 1))
//   SimCut (Gao et al. 2022)    one pass over all tokens, and one with some tokens cut out of
//                               source and target: CE1 + simcut KL(1 || 2)
// Both passes run as one batch with twice as many rows.
#pragma once

#include <torch/types.h>

#include <optional>

#include "tfm/losses/cross_entropy.h"
#include "tfm/model/batch.h"
#include "tfm/model/model_folder.h"
#include "tfm/tensor/forward_context.h"

namespace tfm {

/// Returns the weights of the consistency loss that the config selects (R-Drop or SimCut), or
/// nullopt if it selects neither.
std::optional<ConsistencyLoss> consistency_loss(const TrainingConfig& training);

/// Returns a factor for each token of ids [B, T], on the same device: 0 with probability p,
/// otherwise `kept`.
torch::Tensor token_dropout_mask(const torch::Tensor& ids, double p, double kept);

/// Returns the loss of a batch as model.config.training defines it, summed over the target tokens.
/// The loss is a scalar with gradients for the network's parameters.
torch::Tensor compute_loss(TranslationModel& model, const Batch& batch,
                           const ForwardContext& context = {});

}  // namespace tfm
