// The layout of a batch without padding: the tokens of all sentences one after another.
// Projections, norms and feed-forward layers, which process each token by itself, then spend
// nothing on padding. Attention receives the row where each sentence begins (varlen_attention.h).
// The number of rows N may be rounded up, so that few different shapes occur. The additional rows
// repeat the first position of the batch, no token attends to them, and pad() drops them.
#pragma once

#include <torch/types.h>

#include <vector>

namespace tfm {

/// Returns the number of tokens in each row of ids [B, T] int64, which are on the CPU and padded at
/// the end of each row.
std::vector<int64_t> sentence_lengths(const torch::Tensor& ids, int64_t pad);

class UnpaddedLayout {
 public:
  /// `lengths` holds the lengths of the B sentences. `padded_length` is T of the same batch with
  /// padding, at least the longest length. N is rounded up to a multiple of row_multiple.
  UnpaddedLayout(const std::vector<int64_t>& lengths, int64_t padded_length,
                 int64_t row_multiple = 1);

  /// Removes the padding: [B, T] or [B, T, D] -> [N] or [N, D].
  torch::Tensor unpad(const torch::Tensor& padded) const;
  /// Restores the padding, filled with zeros: [N, D] -> [B, T, D].
  torch::Tensor pad(const torch::Tensor& unpadded) const;

  /// Returns B + 1 row numbers: sentence b has the rows row_offsets[b] to row_offsets[b + 1] - 1.
  const std::vector<int64_t>& row_offsets() const { return row_offsets_; }
  /// Returns T of the same batch with padding, at least the longest length.
  int64_t padded_length() const { return padded_length_; }
  /// Returns the position of each row's token in its sentence, [N] int64.
  const torch::Tensor& positions() const { return positions_; }

 private:
  int64_t batch_;
  int64_t padded_length_;
  std::vector<int64_t> row_offsets_;
  torch::Tensor indices_;  // [N] int64: index of each row in the flattened [B * T]
  torch::Tensor positions_;
};

}  // namespace tfm
