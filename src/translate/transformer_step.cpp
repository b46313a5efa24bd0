#include "tfm/translate/transformer_step.h"

namespace tfm {
namespace {

torch::Tensor indices(std::span<const std::int32_t> values, torch::Device device) {
  return torch::tensor(at::ArrayRef<std::int32_t>(values.data(), values.size()), torch::kInt64).to(device);
}

bool is_identity(std::span<const std::int32_t> parents, int64_t rows) {
  if (static_cast<int64_t>(parents.size()) != rows) return false;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    if (parents[i] != static_cast<std::int32_t>(i)) return false;
  }
  return true;
}

}  // namespace

TransformerStep::TransformerStep(Transformer& network, const torch::Tensor& source, int64_t vocab_size, bool wants_attention)
    : network_(network), vocab_size_(vocab_size), cache_(network->start(source)), rows_(source.size(0)), wants_attention_(wants_attention) {}

std::span<const float> TransformerStep::advance(std::span<const std::int32_t> parents, std::span<const std::int32_t> tokens) {
  const auto device = cache_.source_mask.device();
  if (!is_identity(parents, rows_)) cache_.select(indices(parents, device));
  rows_ = static_cast<int64_t>(parents.size());
  const auto logits = network_->step(indices(tokens, device), cache_, wants_attention_ ? &attention_ : nullptr);  // [R, V]
  log_probs_ = torch::log_softmax(logits, -1, torch::kFloat32).cpu().contiguous();
  if (wants_attention_) attention_ = attention_.to(torch::kCPU, torch::kFloat32).contiguous();
  return {log_probs_.data_ptr<float>(), static_cast<std::size_t>(log_probs_.numel())};
}

std::span<const float> TransformerStep::attention() const {
  if (!attention_.defined()) return {};
  return {attention_.const_data_ptr<float>(), static_cast<std::size_t>(attention_.numel())};
}

}  // namespace tfm
