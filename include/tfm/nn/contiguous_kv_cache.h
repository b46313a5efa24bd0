// The KvCache for any device: each layer's keys and values lie in one tensor, row after row, and
// reorder copies them.
#pragma once

#include <torch/types.h>

#include <vector>

#include "tfm/nn/attention.h"
#include "tfm/nn/kv_cache.h"

namespace tfm {

/// The growing keys and values of one self-attention. Storage doubles, so that a step copies one
/// position and not all of them.
class GrowableKeyValues {
 public:
  /// Appends one position: keys and values [R, H, 1, Dh]. Returns all positions so far, [R, H,
  /// length, Dh].
  KeyValues append(const KeyValues& step);
  /// Row i becomes the former rows[i]. rows [R'] int64.
  void select(const torch::Tensor& rows);
  int64_t length() const { return length_; }

 private:
  KeyValues storage_;  // [R, H, capacity, Dh]
  int64_t length_ = 0;
};

class ContiguousKvCache : public KvCache {
 public:
  struct Options {
    int64_t heads = 1;
    bool rotary = false;           ///< queries and keys are rotated by their position
    bool keeps_attention = false;  ///< for mean_attention, at the cost of the fused kernel
  };

  /// memory: for each layer the encoder's output projected to keys and values, [B, S, 2 * H * Dh];
  /// source_mask [B, 1, 1, S]. One row per sentence.
  ContiguousKvCache(std::vector<torch::Tensor> memory, torch::Tensor source_mask,
                    const Options& options);

  int64_t rows() const override { return source_mask_.size(0); }
  int64_t positions() const override { return positions_; }
  void reorder(std::span<const std::int32_t> parents) override;
  void begin_step() override;
  torch::Tensor self_attention(std::size_t layer, const torch::Tensor& qkv) override;
  torch::Tensor cross_attention(std::size_t layer, const torch::Tensor& queries) override;
  torch::Tensor mean_attention() const override;

 private:
  struct Layer {
    GrowableKeyValues past;
    KeyValues memory;  // [R, H, S, Dh]
  };

  Options options_;
  std::vector<Layer> layers_;
  torch::Tensor source_mask_;           // [R, 1, 1, S]
  std::vector<torch::Tensor> weights_;  // the step's cross-attention, by layer: [R, H, 1, S]
  int64_t positions_ = 0;
};

}  // namespace tfm
