#include "tfm/nn/positional_encoding.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tfm/core/error.h"
#include "tfm/tensor/device.h"
#include "tfm/tensor/rotary.h"

namespace tfm {

namespace {

/// Returns the angles of the sinusoidal table, [length, D / 2] fp64.
torch::Tensor sinusoidal_angles(int64_t length, int64_t hidden_size) {
  const auto position = torch::arange(length, torch::kFloat64).unsqueeze(1);  // [length, 1]
  const auto frequency = torch::exp(torch::arange(0, hidden_size, 2, torch::kFloat64) *
                                    (-std::log(10000.0) / static_cast<double>(hidden_size)));
  return position * frequency;
}

constexpr int64_t first_rows = 256;  // of a table that grows

torch::Tensor scaled(const torch::Tensor& x, double scale) { return scale == 1 ? x : x * scale; }

/// Returns scale * x + positions.
torch::Tensor add_positions(const torch::Tensor& x, double scale, const torch::Tensor& positions) {
  return prefers_fewer_operations(x.device()) ? torch::add(positions, x, scale)
                                              : scaled(x, scale) + positions;
}

}  // namespace

torch::Tensor sinusoidal_table(int64_t length, int64_t hidden_size) {
  const auto angle = sinusoidal_angles(length, hidden_size);
  // sin and cos alternate: [length, D]
  return torch::stack({angle.sin(), angle.cos()}, -1).flatten(1).to(torch::kFloat32);
}

torch::Tensor sinusoidal_concat_table(int64_t length, int64_t hidden_size) {
  const int64_t frequencies = hidden_size / 2;
  const auto position = torch::arange(length, torch::kFloat64).unsqueeze(1);  // [length, 1]
  const auto frequency = torch::exp(torch::arange(frequencies, torch::kFloat64) *
                                    (-std::log(10000.0) / static_cast<double>(frequencies - 1)));
  const auto angle = position * frequency;                                // [length, D/2]
  return torch::cat({angle.sin(), angle.cos()}, -1).to(torch::kFloat32);  // [length, D]
}

torch::Tensor RotaryPositions::factors(int64_t rows, torch::Device device) {
  const std::lock_guard lock(growing_);
  if (!factors_.defined() || factors_.size(0) < rows || factors_.device() != device) {
    const c10::InferenceMode ordinary(false);  // training saves the factors for the backward pass
    factors_ =
        rotary_factors(sinusoidal_angles(std::max(2 * rows, first_rows), head_size_)).to(device);
  }
  return factors_;
}

torch::Tensor RotaryPositions::rotate(const torch::Tensor& qkv, const torch::Tensor& positions,
                                      int64_t length) {
  return rotate_queries_and_keys(qkv, qkv.size(1) / (3 * head_size_), positions,
                                 factors(length, qkv.device()));
}

torch::Tensor RotaryPositions::rotate_at(const torch::Tensor& qkv, int64_t position) {
  if (has_tfm_kernels(qkv)) return rotate(qkv, torch::full({qkv.size(0)}, position), position + 1);
  const auto row = factors(position + 1, qkv.device()).slice(0, position, position + 1);
  return rotate_by_factors(qkv, qkv.size(1) / (3 * head_size_), row.to(qkv.scalar_type()));
}

PositionalEncodingImpl::PositionalEncodingImpl(const ModelConfig& config, int64_t vocab_size,
                                               const LayerFactory& layers)
    : kind_(config.positions),
      vocab_size_(vocab_size),
      hidden_size_(config.hidden_size),
      max_positions_(config.max_positions),
      first_position_(config.first_position) {
  if (kind_ == Positions::learned)
    learned_ = register_module("learned", layers.embedding(max_positions_, hidden_size_));
}

torch::Tensor PositionalEncodingImpl::table(int64_t rows, const torch::Tensor& like) {
  const std::lock_guard lock(growing_);
  if (!table_.defined() || table_.size(0) < rows) {
    const auto make =
        kind_ == Positions::sinusoidal_halves ? sinusoidal_concat_table : sinusoidal_table;
    table_ = make(std::max(2 * rows, first_rows), hidden_size_);
  }
  return table_ = table_.to(like.options());
}

torch::Tensor PositionalEncodingImpl::forward(const torch::Tensor& x, const torch::Tensor& ids,
                                              int64_t first, double scale) {
  const int64_t end = first + x.size(1);
  switch (kind_) {
    case Positions::sinusoidal:
    case Positions::sinusoidal_halves:
      return add_positions(
          x, scale,
          table(first_position_ + end, x).slice(0, first_position_ + first, first_position_ + end));
    case Positions::by_token:
      return add_positions(x, scale,
                           table(vocab_size_, x).index_select(0, ids.flatten()).view_as(x));
    case Positions::learned:
      break;
    case Positions::rotary:
    case Positions::none:
      return scaled(x, scale);
  }
  require_learned(end);
  return add_positions(x, scale, learned_->weight.slice(0, first, end));
}

torch::Tensor PositionalEncodingImpl::forward_unpadded(const torch::Tensor& x,
                                                       const torch::Tensor& ids,
                                                       const torch::Tensor& positions,
                                                       double scale) {
  const int64_t end = positions.numel() == 0 ? 0 : positions.max().item<int64_t>() + 1;
  switch (kind_) {
    case Positions::sinusoidal:
    case Positions::sinusoidal_halves:
      return add_positions(
          x, scale, table(first_position_ + end, x).index_select(0, positions + first_position_));
    case Positions::by_token:
      return add_positions(x, scale, table(vocab_size_, x).index_select(0, ids));
    case Positions::learned:
      break;
    case Positions::rotary:
    case Positions::none:
      return scaled(x, scale);
  }
  require_learned(end);
  return add_positions(x, scale, learned_(positions));
}

void PositionalEncodingImpl::require_learned(int64_t positions) const {
  if (positions <= max_positions_) return;
  throw DataError("",
                  "a sequence of " + std::to_string(positions) +
                      " tokens is longer than the model's " + std::to_string(max_positions_) +
                      " learned positions",
                  "Shorten the sequence, or train with a larger model.max_positions.");
}

}  // namespace tfm
