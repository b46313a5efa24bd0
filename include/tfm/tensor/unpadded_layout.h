// How a batch lies without padding: the tokens of all sentences one after another. What works on
// one token at a time (projections, norms, feed-forward) then spends nothing on padding; attention
// is told where each sentence begins (varlen_attention.h). The number of rows N may be rounded up,
// so that few different shapes occur: rows beyond the last sentence repeat some token, nothing
// attends to them, and pad leaves them out.
#pragma once

#include <torch/types.h>

#include <vector>

namespace tfm {

/// ids [B, T] int64 on the CPU, padded at the end of each row -> the number of tokens in each.
std::vector<int64_t> sentence_lengths(const torch::Tensor& ids, int64_t pad);

class UnpaddedLayout {
 public:
  /// lengths: of the B sentences. padded_length: T of the same batch with padding, at least the
  /// longest. N is a multiple of row_multiple.
  UnpaddedLayout(const std::vector<int64_t>& lengths, int64_t padded_length,
                 int64_t row_multiple = 1);

  /// [B, T] or [B, T, D] -> [N] or [N, D]
  torch::Tensor unpad(const torch::Tensor& padded) const;
  /// [N, D] -> [B, T, D], zero at padding.
  torch::Tensor pad(const torch::Tensor& unpadded) const;

  /// B + 1 numbers: sentence b is rows row_offsets[b] to row_offsets[b + 1] - 1.
  const std::vector<int64_t>& row_offsets() const { return row_offsets_; }
  /// The place of each row's token in its sentence, [N] int64.
  const torch::Tensor& positions() const { return positions_; }

 private:
  int64_t batch_;
  int64_t padded_length_;
  std::vector<int64_t> row_offsets_;
  torch::Tensor indices_;  // [N] int64: in the flattened [B * T]
  torch::Tensor positions_;
};

}  // namespace tfm
