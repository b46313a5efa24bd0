// What training minimises: a batch's label-smoothed cross-entropy, or, with one of the consistency
// regularisers, the loss of two predictions of it.
//   R-Drop (Liang et al. 2021)  two passes that differ in dropout: half of their section 2's
//                               (CE1 + CE2) + r_drop / 2 (KL(1 || 2) + KL(2 || 1))
//   SimCut (Gao et al. 2022)    one pass as it is, one with tokens cut out of source and target:
//   CE1 + simcut KL(1 || 2)
// Both passes run as one batch of twice as many rows.
#pragma once

#include <torch/types.h>

#include <optional>

#include "tfm/losses/cross_entropy.h"
#include "tfm/model/batch.h"
#include "tfm/model/model_folder.h"
#include "tfm/tensor/forward_context.h"

namespace tfm {

/// Which loss two predictions are given under the config, or nothing where a batch is predicted
/// once.
std::optional<ConsistencyLoss> consistency_loss(const TrainingConfig& training);

/// 0 with probability p, else `kept`: for every token of ids [B, T], on their device.
torch::Tensor token_dropout_mask(const torch::Tensor& ids, double p, double kept);

/// The loss summed over a batch's target tokens, as model.config.training has it: a scalar with the
/// gradient by the network's parameters.
torch::Tensor compute_loss(TranslationModel& model, const Batch& batch,
                           const ForwardContext& context = {});

}  // namespace tfm
