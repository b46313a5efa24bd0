// Adds positions to embeddings (Vaswani et al. 2017, section 3.5): PE(p, 2i) = sin(p /
// 10000^(2i/D)), PE(p, 2i+1) = cos of the same angle. This table is computed when needed and grows
// with the longest sequence, so it is neither a parameter nor part of a checkpoint.
// sinusoidal_halves uses the table of sinusoidal_concat_table instead. Position p of a sequence is
// row first_position + p of the table.
// Learned positions are an embedding of max_positions rows. by_token adds the row of the sinusoidal
// table at the token's id instead of its position. rotary and none add nothing here: rotary
// positions rotate queries and keys within attention (RotaryPositions).
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/pimpl.h>

#include <mutex>

#include "tfm/config/config.h"
#include "tfm/nn/layers.h"

namespace tfm {

/// Returns rows 0..length-1 of the sinusoidal table, [length, D] fp32. D must be even.
torch::Tensor sinusoidal_table(int64_t length, int64_t hidden_size);

/// Returns the sinusoidal table of tensor2tensor and Marian, [length, D] fp32: all sines, then all
/// cosines, of D/2 frequencies from 1 to 1/10000 inclusive. D must be even and at least 4.
torch::Tensor sinusoidal_concat_table(int64_t length, int64_t hidden_size);

/// Rotates queries and keys by their positions (Su et al. 2021, section 3.2): each pair (2i, 2i+1)
/// of a head by the angle position / 10000^(2i/Dh). The dot product of a query and a key then
/// depends only on their distance. Several threads may use one object.
class RotaryPositions {
 public:
  /// Dh, which must be even.
  explicit RotaryPositions(int64_t head_size) : head_size_(head_size) {}

  /// Rotates the queries and keys of qkv [N, 3 * H * Dh]. positions [N] int64 are on the
  /// device of qkv and below `length`.
  torch::Tensor rotate(const torch::Tensor& qkv, const torch::Tensor& positions, int64_t length);
  /// Rotates the queries and keys of qkv [N, 3 * H * Dh], which are all at the same position.
  torch::Tensor rotate_at(const torch::Tensor& qkv, int64_t position);

 private:
  torch::Tensor factors(int64_t rows, torch::Device device);

  int64_t head_size_;
  std::mutex growing_;     // guards factors_
  torch::Tensor factors_;  // rotary_factors() of the positions so far; undefined until needed
};

class PositionalEncodingImpl : public torch::nn::Module {
 public:
  PositionalEncodingImpl(const ModelConfig& config, int64_t vocab_size, const LayerFactory& layers);

  /// Returns scale * x plus positions, for x [B, T, D], the embeddings of ids [B, T]. `first` is
  /// the position of x's first token, for decoding with a cache. Throws DataError if the sequence
  /// ends beyond the learned positions.
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& ids, int64_t first = 0,
                        double scale = 1);

  /// Returns scale * x plus positions for tokens without padding: x [N, D], ids [N], positions [N]
  /// -> [N, D]. Throws like forward().
  torch::Tensor forward_unpadded(const torch::Tensor& x, const torch::Tensor& ids,
                                 const torch::Tensor& positions, double scale = 1);

 private:
  void require_learned(int64_t positions) const;
  torch::Tensor table(int64_t rows, const torch::Tensor& like);

  Positions kind_;
  int64_t vocab_size_;
  int64_t hidden_size_;
  int64_t max_positions_;
  int64_t first_position_;  // row of the table that belongs to position 0
  torch::nn::Embedding learned_{nullptr};
  std::mutex growing_;   // guards table_, because several threads may translate
  torch::Tensor table_;  // sinusoidal table [rows so far, D]; undefined until needed
};
TORCH_MODULE(PositionalEncoding);

}  // namespace tfm
