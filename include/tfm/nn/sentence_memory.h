// The keys and values of all cross-attentions of a ContiguousKvCache. They are stored once per
// sentence, however many rows a sentence has: the queries of its rows attend together. If sentences
// have different numbers of rows, the queries are padded to the largest number. When half of the
// sentences have no row any more, the others are copied to a smaller tensor.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <span>
#include <vector>

namespace tfm {

class SentenceMemory {
 public:
  /// Starts with one row per sentence. source_mask is [B, 1, 1, S] (padding_mask).
  SentenceMemory(torch::Tensor source_mask, int64_t layers, int64_t heads);

  int64_t rows() const { return std::ssize(sentences_); }
  /// The number of sentences whose keys and values are stored.
  int64_t stored_sentences() const { return source_mask_.size(0); }

  /// Adds the keys and values of the next layer, [B, S, 2 * H * Dh].
  void add_layer(const torch::Tensor& memory);

  /// Replaces row i by the former row parents[i]. All layers must have been added.
  void reorder(std::span<const std::int32_t> parents);

  /// Attends to the sentence of each row: queries [R, H * Dh] -> [R, H * Dh]. If `weights` is not
  /// nullptr, it receives the probabilities, [R, H, S].
  torch::Tensor attend(std::size_t layer, const torch::Tensor& queries,
                       torch::Tensor* weights = nullptr);

 private:
  void free_unneeded();
  void group_rows();
  torch::Tensor ungroup(const torch::Tensor& grouped) const;
  const torch::Tensor& additive_mask(const torch::Tensor& queries);

  int64_t layers_;
  int64_t heads_;
  int64_t added_ = 0;  // number of layers so far
  torch::Tensor source_mask_;
  torch::Tensor additive_mask_;          // [B, 1, 1, S]: 0 or -inf; undefined until needed
  torch::Tensor memory_;                 // [layers, 2, B, H, S, Dh]: keys, then values
  std::vector<std::int32_t> sentences_;  // by row
  // The rows in groups of K, one group per stored sentence. Both tensors are undefined if the rows
  // are in this order already.
  torch::Tensor grouped_rows_;  // [B * K]: the row at each place of a group, 0 for a free place
  torch::Tensor places_;        // [R]: the place of each row
};

}  // namespace tfm
