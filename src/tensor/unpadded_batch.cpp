#include "tfm/tensor/unpadded_batch.h"

namespace tfm {

UnpaddedBatch::UnpaddedBatch(const torch::Tensor& ids, int64_t pad, int64_t row_multiple)
    : batch_(ids.size(0)), width_(ids.size(1)), row_offsets_{0} {
  const auto contiguous = ids.contiguous();
  const auto* id = contiguous.const_data_ptr<int64_t>();
  std::vector<int64_t> places;
  std::vector<int64_t> positions;
  for (int64_t sentence = 0; sentence < batch_; ++sentence) {
    int64_t length = width_;
    while (length > 0 && id[sentence * width_ + length - 1] == pad) --length;
    for (int64_t position = 0; position < length; ++position) {
      places.push_back(sentence * width_ + position);
      positions.push_back(position);
    }
    row_offsets_.push_back(std::ssize(places));
  }
  const int64_t rows = (std::ssize(places) + row_multiple - 1) / row_multiple * row_multiple;
  places.resize(static_cast<std::size_t>(rows), 0);
  positions.resize(static_cast<std::size_t>(rows), 0);
  indices_ = torch::tensor(places, torch::kInt64);
  positions_ = torch::tensor(positions, torch::kInt64);
}

torch::Tensor UnpaddedBatch::unpad(const torch::Tensor& padded) const {
  return padded.flatten(0, 1).index_select(0, indices_);
}

torch::Tensor UnpaddedBatch::pad(const torch::Tensor& packed) const {
  const int64_t real = row_offsets_.back();
  const auto all = torch::zeros({batch_ * width_, packed.size(1)}, packed.options());
  return all.index_copy(0, indices_.narrow(0, 0, real), packed.narrow(0, 0, real))
      .unflatten(0, {batch_, width_});
}

}  // namespace tfm
