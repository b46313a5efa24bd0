#include "tfm/losses/objective.h"

#include <optional>

#include "tfm/losses/linear_consistency_loss.h"
#include "tfm/tensor/autocast.h"

namespace tfm {
namespace {

/// Returns the token dropout factors of one pass over ids, or an undefined tensor if the config has
/// no token dropout.
torch::Tensor sample_token_dropout(const torch::Tensor& ids, const TrainingConfig& training) {
  const double p = training.token_dropout;
  return p > 0 ? token_dropout_mask(ids, p, 1 / (1 - p)) : torch::Tensor();
}

/// Returns the factors of both passes over ids. With SimCut, the factors of the second pass also
/// cut out tokens.
torch::Tensor sample_both_passes(const torch::Tensor& ids, const TrainingConfig& training) {
  auto both = sample_token_dropout(ids.repeat({2, 1}), training);
  if (training.simcut <= 0) return both;
  if (!both.defined()) both = torch::ones_like(ids, torch::kFloat32).repeat({2, 1});
  both.slice(0, ids.size(0)).mul_(token_dropout_mask(ids, training.simcut_probability, 1));
  return both;
}

OutputProjection output_layer(const Transformer& network, const ForwardContext& context) {
  const auto& part = network->output_part();
  if (context.casts == nullptr) return {part.weight, part.bias};
  const auto& cast = context.casts->cast(part);
  return {part.weight, part.bias, cast.weight, cast.bias};
}

}  // namespace

std::optional<ConsistencyLoss> consistency_loss(const TrainingConfig& training) {
  const double smoothing = training.label_smoothing;
  if (training.r_drop > 0)
    return ConsistencyLoss{smoothing, 0.5, 0.5, training.r_drop / 4, training.r_drop / 4};
  if (training.simcut > 0) return ConsistencyLoss{smoothing, 1, 0, training.simcut, 0};
  return std::nullopt;
}

torch::Tensor token_dropout_mask(const torch::Tensor& ids, double p, double kept) {
  const torch::NoGradGuard no_grad;
  return torch::rand(ids.sizes(), ids.options().dtype(torch::kFloat32)).ge_(p).mul_(kept);
}

torch::Tensor compute_loss(TranslationModel& model, const Batch& batch,
                           const ForwardContext& context) {
  const auto& training = model.config.training;
  auto& network = *model.network;
  Targets targets{batch.target_output.flatten(), model.tokenizers.target->special().pad,
                  batch.target_tokens};
  if (batch.weights.defined())
    targets.weights = batch.weights.unsqueeze(1).expand_as(batch.target_output).flatten();
  const auto pair = consistency_loss(training);
  if (!pair) {
    const TokenDropoutMasks factors{sample_token_dropout(batch.source, training),
                                    sample_token_dropout(batch.target_input, training)};
    const auto hidden =
        network.hidden(batch.source, batch.target_input, nullptr, factors, context).flatten(0, 1);
    return linear_cross_entropy(hidden, output_layer(model.network, context), targets,
                                training.label_smoothing)
        .smoothed;
  }
  const TokenDropoutMasks factors{sample_both_passes(batch.source, training),
                                  sample_both_passes(batch.target_input, training)};
  const auto hidden = network
                          .hidden(batch.source.repeat({2, 1}), batch.target_input.repeat({2, 1}),
                                  nullptr, factors, context)
                          .flatten(0, 1);
  return linear_consistency_loss(hidden, output_layer(model.network, context), targets, *pair)
      .smoothed;
}

}  // namespace tfm
