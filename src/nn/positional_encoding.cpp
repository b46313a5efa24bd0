#include "tfm/nn/positional_encoding.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "tfm/core/error.h"

namespace tfm {

torch::Tensor sinusoidal_table(int64_t length, int64_t hidden_size) {
  const auto position = torch::arange(length, torch::kFloat64).unsqueeze(1);  // [L, 1]
  const auto frequency = torch::exp(torch::arange(0, hidden_size, 2, torch::kFloat64) * (-std::log(10000.0) / static_cast<double>(hidden_size)));
  const auto angle = position * frequency;                                             // [L, D/2]
  return torch::stack({angle.sin(), angle.cos()}, -1).flatten(1).to(torch::kFloat32);  // sin and cos alternate: [L, D]
}

PositionalEncodingImpl::PositionalEncodingImpl(const ModelConfig& config)
    : kind_(config.positions), hidden_size_(config.hidden_size), max_positions_(config.max_positions) {
  if (kind_ == Positions::learned) learned_ = register_module("learned", torch::nn::Embedding(max_positions_, hidden_size_));
}

torch::Tensor PositionalEncodingImpl::forward(const torch::Tensor& x, int64_t first) {
  if (kind_ == Positions::none) return x;
  const int64_t length = x.size(1);
  const int64_t end = first + length;
  if (kind_ == Positions::learned) {
    if (end > max_positions_) {
      throw DataError(
          "", "a sequence of " + std::to_string(end) + " tokens does not fit the model's " + std::to_string(max_positions_) + " learned positions",
          "Shorten it, or train with a larger model.max_positions.");
    }
    return x + learned_->weight.slice(0, first, end);
  }
  constexpr int64_t first_rows = 256;
  if (!table_.defined() || table_.size(0) < end) table_ = sinusoidal_table(std::max(2 * end, first_rows), hidden_size_);
  table_ = table_.to(x.options());
  return x + table_.slice(0, first, end);
}

}  // namespace tfm
