// Adds each token's position to its embedding (Vaswani et al. 2017, section 3.5): PE(p, 2i) = sin(p / 10000^(2i/D)), PE(p, 2i+1) = cos of the same
// angle. The table is computed when needed and grows with the longest sequence seen, so it is neither a parameter nor part of a checkpoint.
// Learned positions are an embedding of max_positions rows; `none` adds nothing.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/pimpl.h>

#include "tfm/config/config.h"

namespace tfm {

/// Rows 0..length-1 of the sinusoidal table: [length, D] fp32. D is even.
torch::Tensor sinusoidal_table(int64_t length, int64_t hidden_size);

class PositionalEncodingImpl : public torch::nn::Module {
 public:
  explicit PositionalEncodingImpl(const ModelConfig& config);

  /// x [B, T, D] -> [B, T, D]. first: the position of x's first token (decoding with a cache).
  /// Throws DataError where learned positions have no row for the sequence's end.
  torch::Tensor forward(const torch::Tensor& x, int64_t first = 0);

 private:
  Positions kind_;
  int64_t hidden_size_;
  int64_t max_positions_;
  torch::nn::Embedding learned_{nullptr};
  torch::Tensor table_;  // [rows so far, D], sinusoidal only
};
TORCH_MODULE(PositionalEncoding);

}  // namespace tfm
