#include "tfm/tensor/quantized_matrix.h"

#include <ATen/Parallel.h>

#include <algorithm>

#include "quantized_rows.h"

namespace tfm {
namespace {

template <class T>
void quantize(const torch::Tensor& x, const QuantizedRows& to) {
  const auto* from = static_cast<const T*>(x.const_data_ptr());
  const int64_t width = x.size(1);
  const int64_t grain = std::max<int64_t>(1, 16384 / std::max<int64_t>(1, width));
  at::parallel_for(0, x.size(0), grain, [&](int64_t begin, int64_t end) {
    quantize_rows(RowView<const T>{from + begin * width, width}, end - begin, width,
                  {{to.values.first + begin * to.values.stride, to.values.stride},
                   to.scales + begin,
                   to.sums + begin});
  });
}

}  // namespace

void quantize_rows(const torch::Tensor& x, const QuantizedRows& to) {
  const auto contiguous = x.contiguous();
  x.scalar_type() == torch::kBFloat16 ? quantize<Bf16>(contiguous, to)
                                      : quantize<float>(contiguous, to);
}

QuantizedMatrix quantize_rows(const torch::Tensor& x) {
  QuantizedMatrix quantized{torch::empty(x.sizes(), x.options().dtype(torch::kInt8)),
                            torch::empty({x.size(0)}, x.options().dtype(torch::kFloat32)),
                            torch::empty({x.size(0)}, x.options().dtype(torch::kInt32))};
  quantize_rows(x, {{quantized.values.mutable_data_ptr<int8_t>(), x.size(1)},
                    quantized.scales.mutable_data_ptr<float>(),
                    quantized.sums.mutable_data_ptr<int32_t>()});
  return quantized;
}

}  // namespace tfm
