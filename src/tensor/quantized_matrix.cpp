#include "tfm/tensor/quantized_matrix.h"

#include <ATen/Parallel.h>

#include <algorithm>

#include "kernels/quantization.h"

namespace tfm {
namespace {

template <class T>
void quantize(const torch::Tensor& x, const QuantizedMatrix& quantized) {
  const auto* from = static_cast<const T*>(x.const_data_ptr());
  auto* values = quantized.values.mutable_data_ptr<int8_t>();
  auto* scales = quantized.scales.mutable_data_ptr<float>();
  auto* sums = quantized.sums.mutable_data_ptr<int32_t>();
  const int64_t width = x.size(1);
  const int64_t grain = std::max<int64_t>(1, 16384 / std::max<int64_t>(1, width));
  at::parallel_for(0, x.size(0), grain, [&](int64_t begin, int64_t end) {
    quantize_rows(RowView<const T>{from + begin * width, width}, end - begin, width,
                  {{values + begin * width, width}, scales + begin, sums + begin});
  });
}

}  // namespace

QuantizedMatrix quantize_rows(const torch::Tensor& x) {
  const auto contiguous = x.contiguous();
  QuantizedMatrix quantized{torch::empty(x.sizes(), x.options().dtype(torch::kInt8)),
                            torch::empty({x.size(0)}, x.options().dtype(torch::kFloat32)),
                            torch::empty({x.size(0)}, x.options().dtype(torch::kInt32))};
  x.scalar_type() == torch::kBFloat16 ? quantize<Bf16>(contiguous, quantized)
                                      : quantize<float>(contiguous, quantized);
  return quantized;
}

}  // namespace tfm
