// The KvCache for any device. Each layer stores its keys in one tensor and its values in another,
// row after row, and reorder copies both tensors.
#pragma once

#include <torch/types.h>

#include <vector>

#include "tfm/nn/attention.h"
#include "tfm/nn/kv_cache.h"

namespace tfm {

/// The growing keys and values of one self-attention. When the storage is full, its capacity
/// doubles, so a step usually copies only one position.
class GrowableKeyValues {
 public:
  /// Appends one position: keys and values [R, H, 1, Dh]. Returns all positions so far, [R, H,
  /// length, Dh].
  KeyValues append(const KeyValues& step);
  /// Replaces row i by the former row parents[i]. parents is int64, with one entry per new row.
  void reorder(const torch::Tensor& parents);
  int64_t length() const { return length_; }

 private:
  KeyValues storage_;  // [R, H, capacity, Dh] each
  int64_t length_ = 0;
};

class ContiguousKvCache : public KvCache {
 public:
  struct Options {
    int64_t heads = 1;
    bool keeps_attention = false;  ///< stores weights for mean_attention; prevents the fused kernel
  };

  /// Starts with one row per sentence. source_mask is [B, 1, 1, S].
  ContiguousKvCache(torch::Tensor source_mask, const Options& options);

  void add_layer(const torch::Tensor& memory) override;
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
    KeyValues memory;  // [R, H, S, Dh] each
  };

  Options options_;
  std::vector<Layer> layers_;
  torch::Tensor source_mask_;           // [R, 1, 1, S]
  std::vector<torch::Tensor> weights_;  // newest step's cross-attention, by layer: [R, H, 1, S]
  int64_t positions_ = 0;
};

}  // namespace tfm
