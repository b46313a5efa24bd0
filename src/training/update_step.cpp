#include "tfm/training/update_step.h"

#include <fmt/format.h>

#include <array>
#include <random>
#include <utility>

#include "tfm/core/error.h"
#include "tfm/losses/objective.h"
#include "tfm/tensor/autocast.h"
#include "tfm/tensor/device.h"
#include "tfm/tensor/forward_context.h"
#include "tfm/tensor/runtime.h"
#include "tfm/training/micro_batches.h"

namespace tfm {
namespace {

/// Returns the seed of dropout on ranks other than 0. Checkpoints contain only rank 0's random
/// generator. The other ranks derive a seed from the step, so that a resumed run gets the same
/// random numbers.
std::uint64_t rank_seed(const TrainingConfig& training, int rank, std::int64_t step) {
  std::seed_seq mixed{static_cast<std::uint64_t>(training.seed), static_cast<std::uint64_t>(rank),
                      static_cast<std::uint64_t>(step)};
  std::array<std::uint32_t, 2> halves{};
  mixed.generate(halves.begin(), halves.end());
  return (std::uint64_t{halves[0]} << 32) | halves[1];
}

void append_lines(std::string& lines, const Batch& batch) {
  lines += (lines.empty() ? "" : "; ") + describe_lines(batch);
}

}  // namespace

torch::ScalarType training_type(const Config& config, torch::Device device) {
  switch (config.training.precision) {
    case Precision::automatic:
      return preferred_type(device, config.model.hidden_size);
    case Precision::fp32:
      return torch::kFloat32;
    case Precision::bf16:
      return torch::kBFloat16;
    case Precision::fp16:
      break;
  }
  if (!supports_fp16(device)) {
    throw ConfigError("training.precision", "fp16 is only supported on GPUs",
                      "Set training.precision to bf16 or fp32, or training.device to cuda.");
  }
  return torch::kFloat16;
}

UpdateStep::UpdateStep(TranslationModel& model, Optimizer& optimizer, const ProcessGroup& group)
    : model_(model),
      optimizer_(optimizer),
      group_(group),
      reducer_(group, model.network->parameters()),
      format_({.source = model.tokenizers.source->special(),
               .target = model.tokenizers.target->special(),
               .fixed_length = model.config.data.fixed_length}),
      type_(training_type(model.config, model.device)) {
  if (type_ == torch::kFloat16) optimizer.use_loss_scale();
  model.network->set_gradient_checkpointing(model.config.training.gradient_checkpointing);
  model.network->train();
}

std::vector<Batch> UpdateStep::collate(std::span<const BatchIndices> batches,
                                       const Corpus& corpus) const {
  std::vector<Batch> collated;
  for (const auto& examples : batches)
    collated.push_back(tfm::collate(corpus, examples, format_).staged(model_.device));
  return collated;
}

UpdateStep::Done UpdateStep::run(const std::vector<Batch>& batches, double learning_rate,
                                 std::int64_t updates_before) {
  const auto& training = model_.config.training;
  if (!group_.is_main()) seed_everything(rank_seed(training, group_.rank(), updates_before));
  std::vector<Batch> collated;
  for (const auto& batch : batches) collated.push_back(batch.to(model_.device));
  std::array<double, 2> tokens{};  // numbers of target and source tokens
  for (const auto& batch : collated) {
    tokens[0] += static_cast<double>(batch.target_tokens);
    tokens[1] += static_cast<double>(batch.source_tokens);
  }
  group_.all_reduce(tokens);
  Done done;
  done.target_tokens = static_cast<std::int64_t>(tokens[0]);
  done.tokens = static_cast<std::int64_t>(tokens[0] + tokens[1]);
  done.learning_rate = learning_rate;
  const auto pass = backward(collated, tokens[0]);
  done.split = pass.parts.size() > collated.size();
  read_loss_and_norm(pass, done);
  if (done.finite()) {
    optimizer_.clip(done.gradient_norm, training.clip_norm);
    optimizer_.step(learning_rate);
  } else if (done.non_finite_lines.empty() && std::isfinite(done.loss)) {
    // Only the gradient is not finite, so any of the batches may be the cause.
    for (const auto& batch : collated) append_lines(done.non_finite_lines, batch);
  }
  adjust_loss_scale(done);
  return done;
}

/// Adjusts the loss scale of fp16, if any. A loss that is not finite is not a matter of the scale.
void UpdateStep::adjust_loss_scale(Done& done) {
  auto& scale = optimizer_.loss_scale();
  if (!scale || !std::isfinite(done.loss)) return;
  done.overflowed = !done.finite();
  done.overflowed ? scale->record_overflow() : scale->record_finite();
  done.loss_scale = scale->value();
}

/// Computes the gradients of all ranks. Splitting a batch does not affect other ranks, because
/// gradients are synchronised only with the last part.
UpdateStep::Pass UpdateStep::backward(const std::vector<Batch>& batches, double target_tokens) {
  Pass pass;
  retry_in_micro_batches(
      batches,
      [&](const Batch& batch, std::size_t begin, std::size_t end) {
        return slice_rows(batch, begin, end, format_);
      },
      [&](const std::vector<Batch>& parts, std::size_t& at) {
        pass = backward_micro_batches(parts, at, target_tokens);
      });
  reducer_.wait();
  return pass;
}

/// Computes the gradients of all parts. Keeps `at` at the index of the current part, so that the
/// caller knows which part failed.
UpdateStep::Pass UpdateStep::backward_micro_batches(const std::vector<Batch>& parts,
                                                    std::size_t& at, double target_tokens) {
  WeightCasts casts(type_);
  const ForwardContext context{.casts = type_ == torch::kFloat32 ? nullptr : &casts};
  if (context.casts != nullptr && prefers_fewer_operations(model_.device))
    casts.cast_all(model_.network->linear_parts());
  const auto& scale = optimizer_.loss_scale();
  const double divisor = scale ? target_tokens / scale->value() : target_tokens;
  optimizer_.zero_grad();
  reducer_.reset();
  Pass pass{parts, {}};
  for (at = 0; at < parts.size(); ++at) {
    if (at + 1 == parts.size()) reducer_.prepare_for_backward();
    const auto sum = compute_loss(model_, parts[at], context);
    (sum / divisor).backward();
    pass.losses.push_back(sum.detach());
  }
  return pass;
}

/// Copies the losses and the norm of the gradient from the device in one copy, because each waits
/// until the device has computed everything before it. Sums the loss over the ranks, and lists the
/// lines of batches whose loss is not finite.
void UpdateStep::read_loss_and_norm(const Pass& pass, Done& done) const {
  auto scalars = pass.losses;
  scalars.push_back(optimizer_.gradient_norm().to(scalars.front().scalar_type()));
  const auto numbers = torch::stack(scalars).to(torch::kCPU, torch::kFloat64);
  const auto* number = numbers.const_data_ptr<double>();
  std::array<double, 1> loss{};
  for (const auto& part : pass.parts) {
    if (!std::isfinite(*number)) append_lines(done.non_finite_lines, part);
    loss[0] += *number++;
  }
  group_.all_reduce(loss);
  done.loss = loss[0];
  const auto& scale = optimizer_.loss_scale();
  done.gradient_norm = scale ? *number / scale->value() : *number;
}

std::string describe_skipped(const UpdateStep::Done& done, std::int64_t step,
                             std::int64_t in_a_row) {
  return fmt::format(
      "step {}: the {} is not finite; this update is skipped, number {} in a row (of the training "
      "data: {})",
      step, std::isfinite(done.loss) ? "gradient" : "loss", in_a_row,
      done.non_finite_lines.empty() ? "lines of another rank" : done.non_finite_lines);
}

std::string describe_overflow(const UpdateStep::Done& done, std::int64_t step) {
  return fmt::format(
      "step {}: the gradient overflowed in fp16; this update is skipped, and the "
      "loss scale is now {:g}",
      step, done.loss_scale);
}

}  // namespace tfm
