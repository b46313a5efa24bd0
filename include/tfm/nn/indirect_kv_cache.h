// The KvCache for the CPU. Reordering rows never copies keys or values (cache indirection, as
// FasterTransformer and ONNX Runtime call it). The keys and values of a step stay in one tensor per
// layer. A row stores only its sentence, the step of its first position and, for each position, the
// index of its ancestor row in the step of that position. Reordering a beam or dropping finished
// sentences therefore copies only a few integers, and sentences can join at any step. Steps and
// encoder outputs that no row needs any longer are freed.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "tfm/nn/kv_cache.h"
#include "tfm/tensor/decode_attention.h"
#include "tfm/tensor/unpadded_layout.h"

namespace tfm {

class IndirectKvCache : public KvCache {
 public:
  struct Options {
    int64_t heads = 1;
    bool int8 = false;  ///< stores keys and values in 8 bits, in a quarter of the memory
  };

  /// Starts with one row per sentence of the source.
  IndirectKvCache(const UnpaddedLayout& source, const Options& options);

  bool can_join() const override { return true; }
  void join(const UnpaddedLayout& source) override;
  void add_layer(const torch::Tensor& memory) override;
  int64_t rows() const override { return static_cast<int64_t>(rows_.size()); }
  int64_t positions() const override;
  torch::Tensor row_positions() const override;
  void reorder(std::span<const std::int32_t> parents) override;
  void begin_step() override;
  torch::Tensor self_attention(std::size_t layer, const torch::Tensor& qkv) override;
  torch::Tensor cross_attention(std::size_t layer, const torch::Tensor& queries) override;

 private:
  /// The keys and values of sentences that joined together, [M, 2 * H * Dh] by layer; in 8 bits
  /// with the scales of quantize_key_values.
  using Memory = std::vector<torch::Tensor>;

  struct Row {
    std::shared_ptr<const Memory> memory;
    int64_t memory_begin = 0;  // the first token of the row's sentence
    int64_t memory_end = 0;
    int64_t first_step = 0;               // the step of the first position
    std::vector<std::int32_t> ancestors;  // ancestor row, by position
  };

  void drop_unneeded_steps();

  torch::Tensor attend(const torch::Tensor& queries, torch::ScalarType key_type,
                       const KeyLookup& list_keys) const;

  Options options_;
  std::vector<Row> rows_;
  std::shared_ptr<Memory> newest_;  // of the sentences that joined last
  // by layer, and then by step from dropped_ on: [rows of the step, 2 * H * Dh], like Memory
  std::vector<std::deque<torch::Tensor>> steps_;
  int64_t dropped_ = 0;  // number of steps that no row needs
  int64_t taken_ = 0;    // number of steps so far
};

}  // namespace tfm
