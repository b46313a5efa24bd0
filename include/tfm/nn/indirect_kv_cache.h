// Keys and values for decoding on the CPU that never move. What a step projects stays where it was
// computed; a row of the search only knows, for each position, which row of that step it descends
// from, and of which sentence it is. Selecting rows (a beam's new order, sentences that ended) then
// copies a few integers, where ContiguousKvCache (contiguous_kv_cache.h), the plain form of the
// same, copies all keys and values.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <span>
#include <vector>

#include "tfm/tensor/unpadded_batch.h"

namespace tfm {

class IndirectKvCache {
 public:
  /// memory: for each layer the encoder's output projected to keys and values, [M, 2 * H * Dh],
  /// packed as `source` says. One row a sentence. rounded: keys and values are kept in bf16, half
  /// the memory to hold and to read at each step; else as they are computed.
  IndirectKvCache(std::vector<torch::Tensor> memory, const UnpaddedBatch& source,
                  bool rounded = false);

  /// Row i becomes the former parents[i].
  void select(std::span<const std::int32_t> parents);

  /// Positions so far.
  int64_t length() const { return length_; }

  /// Makes room for one more position of all rows: before the layers see it.
  void begin_step();

  /// projected [R, 3 * H * Dh]: queries, keys and values of the new position, which are kept -> [R,
  /// H * Dh].
  torch::Tensor self_attention(std::size_t layer, const torch::Tensor& projected, int64_t heads);

  /// queries [R, H * Dh] over the encoder's output -> [R, H * Dh].
  torch::Tensor cross_attention(std::size_t layer, const torch::Tensor& queries,
                                int64_t heads) const;

 private:
  struct Layer {
    torch::Tensor memory;              // [M, 2 * H * Dh]
    std::vector<torch::Tensor> steps;  // by position: [rows of that step, 3 * H * Dh]
  };

  torch::Tensor kept(const torch::Tensor& states) const {
    return rounded_ ? states.to(torch::kBFloat16) : states.contiguous();
  }

  std::vector<Layer> layers_;
  bool rounded_;
  std::vector<int64_t> row_offsets_;                  // of the sentences in `memory`
  std::vector<std::size_t> sentences_;                // by row
  std::vector<std::vector<std::int32_t>> ancestors_;  // by row, by position: the row of that step
  int64_t length_ = 0;
};

}  // namespace tfm
