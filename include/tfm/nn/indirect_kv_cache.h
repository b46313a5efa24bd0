// The KvCache for the CPU. Reordering rows never copies keys or values (cache indirection, as
// FasterTransformer and ONNX Runtime call it). The keys and values of a step stay in one tensor per
// layer. A row stores only its sentence and, for each position, the index of its ancestor row in
// the step of that position. Reordering a beam or dropping finished sentences therefore copies only
// a few integers.
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
    bool bf16 = false;  ///< stores keys and values in bf16, in half the memory
  };

  /// Starts with one row per sentence of the source.
  IndirectKvCache(const UnpaddedLayout& source, const Options& options);

  void add_layer(const torch::Tensor& memory) override;
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

  torch::Tensor to_storage_type(const torch::Tensor& states) const {
    return options_.bf16 ? states.to(torch::kBFloat16) : states.contiguous();
  }

  Options options_;
  std::vector<Layer> layers_;
  std::vector<int64_t> row_offsets_;                  // first row of each sentence in `memory`
  std::vector<std::size_t> sentences_;                // the sentence of each row
  std::vector<std::vector<std::int32_t>> ancestors_;  // ancestor row, by row and position
  int64_t positions_ = 0;
};

}  // namespace tfm
