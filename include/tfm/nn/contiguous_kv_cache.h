// The KvCache for any device. On a GPU, starting an operation takes longer than a small operation
// itself, so this cache asks for few: the keys and values of all self-attentions are in one tensor,
// and reorder copies the filled positions of this tensor in one operation. The keys and values of
// cross-attention are stored once per sentence and are not reordered (sentence_memory.h).
#pragma once

#include <torch/types.h>

#include <vector>

#include "tfm/nn/kv_cache.h"
#include "tfm/nn/sentence_memory.h"

namespace tfm {

class ContiguousKvCache : public KvCache {
 public:
  struct Options {
    int64_t layers = 1;
    int64_t heads = 1;
    bool keeps_attention = false;  ///< stores weights for mean_attention; prevents the fused kernel
  };

  /// Starts with one row per sentence. source_mask is [B, 1, 1, S].
  ContiguousKvCache(torch::Tensor source_mask, const Options& options);

  void add_layer(const torch::Tensor& memory) override { memory_.add_layer(memory); }
  int64_t rows() const override { return memory_.rows(); }
  int64_t positions() const override { return positions_; }
  void reorder(std::span<const std::int32_t> parents) override;
  void begin_step() override;
  torch::Tensor self_attention(std::size_t layer, const torch::Tensor& qkv) override;
  torch::Tensor cross_attention(std::size_t layer, const torch::Tensor& queries) override;
  torch::Tensor mean_attention() const override;

 private:
  void append(int64_t layer, const torch::Tensor& key_values);
  torch::Tensor filled() const;

  Options options_;
  SentenceMemory memory_;
  // The keys and values of self-attention: [capacity, layers, 2, R, H * Dh]. Undefined before the
  // first step. The capacity doubles when all positions are filled.
  torch::Tensor past_;
  std::vector<torch::Tensor> weights_;  // newest step's cross-attention, by layer: [R, H, S]
  int64_t positions_ = 0;               // including the position of the current step
};

}  // namespace tfm
