#include "tfm/tensor/quantized_matrix.h"

#include <ATen/Parallel.h>

#include <algorithm>

#include "kernels/quantization.h"

namespace tfm {
namespace {

/// Calls work(row) for each row of a matrix [rows, width], in parallel.
template <class Work>
void for_matrix_rows(int64_t rows, int64_t width, const Work& work) {
  at::parallel_for(0, rows, std::max<int64_t>(1, 16384 / width), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) work(row);
  });
}

template <class T>
void quantize(const torch::Tensor& x, const QuantizedMatrix& quantized) {
  const auto* from = static_cast<const T*>(x.const_data_ptr());
  auto* to = quantized.values.data_ptr<int8_t>();
  auto* scales = quantized.scales.data_ptr<float>();
  const int64_t width = x.size(1);
  for_matrix_rows(x.size(0), width, [&](int64_t row) {
    scales[row] = quantize_row(from + row * width, width, to + row * width);
  });
}

}  // namespace

QuantizedMatrix quantize_rows(const torch::Tensor& x) {
  const auto contiguous = x.contiguous();
  QuantizedMatrix quantized{torch::empty(x.sizes(), x.options().dtype(torch::kInt8)),
                            torch::empty({x.size(0)}, x.options().dtype(torch::kFloat32))};
  x.scalar_type() == torch::kBFloat16 ? quantize<Bf16>(contiguous, quantized)
                                      : quantize<float>(contiguous, quantized);
  return quantized;
}

}  // namespace tfm
