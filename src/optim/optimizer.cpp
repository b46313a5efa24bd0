#include "tfm/optim/optimizer.h"

#include "optim/tensor_list_ops.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

std::vector<torch::Tensor> collect_gradients(const std::vector<torch::Tensor>& parameters) {
  std::vector<torch::Tensor> gradients;
  gradients.reserve(parameters.size());
  for (const auto& parameter : parameters) gradients.push_back(parameter.grad());
  return gradients;
}

}  // namespace

Optimizer::Optimizer(const TrainingConfig& config, const torch::nn::Module& module)
    : config_(config) {
  const bool adam = config.optimizer != OptimizerKind::sgd;
  for (const auto& item : module.named_parameters()) {
    const bool embedding = item.key().find("embedding") != std::string::npos;
    Slot slot{item.key(), item.value(), embedding, torch::zeros_like(item.value().detach()), {},
              {}};
    if (adam) {
      slot.moment2 = torch::zeros_like(slot.moment1);
      slot.steps = torch::zeros({}, slot.moment1.options().dtype(torch::kFloat32));
    }
    slots_.push_back(std::move(slot));
  }
  if (config.ema_decay > 0) average_.emplace(config.ema_decay, module);
}

void Optimizer::zero_grad() {
  for (auto& slot : slots_) slot.parameter.mutable_grad().reset();
}

std::vector<torch::Tensor> Optimizer::gather(torch::Tensor Slot::* member,
                                             std::optional<bool> embeddings) const {
  std::vector<torch::Tensor> tensors;
  for (const auto& slot : slots_) {
    const bool selected = !embeddings || *embeddings == slot.embedding;
    if (selected && slot.parameter.grad().defined()) tensors.push_back(slot.*member);
  }
  return tensors;
}

/// Returns the gradients of all parameters that are not frozen.
std::vector<torch::Tensor> Optimizer::moving_gradients() const {
  const bool frozen = config_.embedding_rate_factor == 0;
  return collect_gradients(gather(&Slot::parameter, frozen ? std::optional(false) : std::nullopt));
}

torch::Tensor Optimizer::gradient_norm() const {
  const torch::NoGradGuard no_grad;
  return norm_over(moving_gradients());
}

void Optimizer::clip(double norm, double max_norm) {
  const torch::NoGradGuard no_grad;
  const double unscaled = loss_scale_ ? 1 / loss_scale_->value() : 1;
  const double factor = max_norm > 0 && norm > max_norm ? unscaled * max_norm / norm : unscaled;
  if (factor != 1) scale(moving_gradients(), factor);
}

void Optimizer::step(double learning_rate) {
  const torch::NoGradGuard no_grad;
  if (config_.embedding_rate_factor == 1) {
    step_group(learning_rate, std::nullopt);
  } else {
    step_group(learning_rate, false);
    if (config_.embedding_rate_factor > 0)
      step_group(learning_rate * config_.embedding_rate_factor, true);
  }
  if (average_) average_->update();
}

/// Updates only the embeddings if `embeddings` is true, only the other parameters if it is false,
/// and all parameters if it is nullopt.
void Optimizer::step_group(double learning_rate, std::optional<bool> embeddings) {
  UpdateGroup group;
  group.parameters = gather(&Slot::parameter, embeddings);
  if (group.parameters.empty()) return;
  group.gradients = collect_gradients(group.parameters);
  group.moment1 = gather(&Slot::moment1, embeddings);
  if (config_.optimizer == OptimizerKind::sgd) {
    sgd_step(group, config_, learning_rate);
    return;
  }
  group.moment2 = gather(&Slot::moment2, embeddings);
  group.steps = gather(&Slot::steps, embeddings);
  adam_step(group, config_, learning_rate);
}

StateDict Optimizer::state() const {
  auto state = own_state();
  if (average_) state.merge(average_->state());
  if (loss_scale_) state["loss_scale"] = loss_scale_->state();
  return state;
}

StateDict Optimizer::own_state() const {
  StateDict state;
  for (const auto& slot : slots_) {
    if (slot.moment2.defined()) {
      state["exp_avg." + slot.name] = slot.moment1;
      state["exp_avg_sq." + slot.name] = slot.moment2;
      state["step." + slot.name] = slot.steps;
    } else {
      state["momentum." + slot.name] = slot.moment1;
    }
  }
  return state;
}

void Optimizer::load_state(const StateDict& saved, const std::filesystem::path& source_file) {
  const torch::NoGradGuard no_grad;
  if (average_) average_->load_state(saved, source_file);
  if (const auto scale = saved.find("loss_scale"); loss_scale_ && scale != saved.end())
    loss_scale_->load_state(scale->second, source_file);
  for (auto& [name, tensor] : own_state()) {
    const auto found = saved.find(name);
    if (found == saved.end() || found->second.sizes() != tensor.sizes()) {
      throw ModelError(source_file.string(), "has no matching optimizer state '" + name + "'",
                       "Resume with the optimizer and model of the run's config.yaml.");
    }
    tensor.copy_(found->second);
  }
}

}  // namespace tfm
