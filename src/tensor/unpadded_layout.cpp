#include "tfm/tensor/unpadded_layout.h"

namespace tfm {

std::vector<int64_t> sentence_lengths(const torch::Tensor& ids, int64_t pad) {
  const auto contiguous = ids.contiguous();
  const auto* row = contiguous.const_data_ptr<int64_t>();
  std::vector<int64_t> lengths;
  for (int64_t sentence = 0; sentence < ids.size(0); ++sentence, row += ids.size(1)) {
    int64_t length = ids.size(1);
    while (length > 0 && row[length - 1] == pad) --length;
    lengths.push_back(length);
  }
  return lengths;
}

UnpaddedLayout::UnpaddedLayout(const std::vector<int64_t>& lengths, int64_t padded_length,
                               int64_t row_multiple)
    : batch_(std::ssize(lengths)), padded_length_(padded_length), row_offsets_{0} {
  std::vector<int64_t> indices;
  std::vector<int64_t> positions;
  for (int64_t begin = 0; const int64_t length : lengths) {
    for (int64_t position = 0; position < length; ++position) {
      indices.push_back(begin + position);
      positions.push_back(position);
    }
    row_offsets_.push_back(std::ssize(indices));
    begin += padded_length_;
  }
  const int64_t rows = (std::ssize(indices) + row_multiple - 1) / row_multiple * row_multiple;
  indices.resize(static_cast<std::size_t>(rows), 0);
  positions.resize(static_cast<std::size_t>(rows), 0);
  indices_ = torch::tensor(indices, torch::kInt64);
  positions_ = torch::tensor(positions, torch::kInt64);
}

torch::Tensor UnpaddedLayout::unpad(const torch::Tensor& padded) const {
  return padded.flatten(0, 1).index_select(0, indices_);
}

torch::Tensor UnpaddedLayout::pad(const torch::Tensor& unpadded) const {
  const int64_t real = row_offsets_.back();
  const auto all = torch::zeros({batch_ * padded_length_, unpadded.size(1)}, unpadded.options());
  return all.index_copy(0, indices_.narrow(0, 0, real), unpadded.narrow(0, 0, real))
      .unflatten(0, {batch_, padded_length_});
}

}  // namespace tfm
