// The KvCache for the CPU, in which keys and values never move: cache indirection, as
// FasterTransformer and ONNX Runtime call it. What a step projects stays where it was computed. A
// row knows only its sentence and, for each position, which row of that position's step it descends
// from. reorder (a beam's new order, sentences that ended) then copies a few integers.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <span>
#include <vector>

#include "tfm/nn/kv_cache.h"
#include "tfm/tensor/unpadded_layout.h"

namespace tfm {

class IndirectKvCache : public KvCache {
 public:
  struct Options {
    int64_t heads = 1;
    bool bf16 = false;  ///< keys and values are kept in bf16, half the memory; else as computed
  };

  /// memory: for each layer the encoder's output projected to keys and values, [M, 2 * H * Dh],
  /// without padding as `source` says. One row per sentence.
  IndirectKvCache(std::vector<torch::Tensor> memory, const UnpaddedLayout& source,
                  const Options& options);

  int64_t rows() const override { return static_cast<int64_t>(sentences_.size()); }
  int64_t positions() const override { return positions_; }
  void reorder(std::span<const std::int32_t> parents) override;
  void begin_step() override;
  torch::Tensor self_attention(std::size_t layer, const torch::Tensor& qkv) override;
  torch::Tensor cross_attention(std::size_t layer, const torch::Tensor& queries) override;

 private:
  struct Layer {
    torch::Tensor memory;              // [M, 2 * H * Dh]
    std::vector<torch::Tensor> steps;  // by position: [rows of that step, 3 * H * Dh]
  };

  torch::Tensor kept(const torch::Tensor& states) const {
    return options_.bf16 ? states.to(torch::kBFloat16) : states.contiguous();
  }

  Options options_;
  std::vector<Layer> layers_;
  std::vector<int64_t> row_offsets_;                  // of the sentences in `memory`
  std::vector<std::size_t> sentences_;                // by row
  std::vector<std::vector<std::int32_t>> ancestors_;  // by row, by position: the row of that step
  int64_t positions_ = 0;
};

}  // namespace tfm
