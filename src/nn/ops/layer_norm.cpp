#include "tfm/nn/ops/layer_norm.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>

#include "tfm/nn/ops/lanes.h"

namespace tfm {
namespace {

struct Affine {
  const float* scale;  // or nullptr
  const float* shift;  // or nullptr
  float epsilon;
};

template <class L, class Addend>
TFM_INLINE void normalise(const float* x, const Addend* y, int64_t width, Affine affine,
                          float* to) {
  const int64_t whole = width - width % L::count;
  typename L::Floats sums = {};
  for (int64_t i = 0; i < whole; i += L::count) {
    const auto sum = y != nullptr ? L::load(x + i) + L::load(y + i) : L::load(x + i);
    L::store(sum, to + i);
    sums += sum;
  }
  float sum = reduce(sums, Sum());
  for (int64_t i = whole; i < width; ++i) sum += to[i] = y != nullptr ? x[i] + widen(y[i]) : x[i];
  const float mean = sum / static_cast<float>(width);
  typename L::Floats squares = {};
  for (int64_t i = 0; i < whole; i += L::count) {
    const typename L::Floats distance = L::load(to + i) - mean;
    L::store(distance, to + i);
    squares += distance * distance;
  }
  float square = reduce(squares, Sum());
  for (int64_t i = whole; i < width; ++i) {
    to[i] -= mean;
    square += to[i] * to[i];
  }
  const float factor = 1 / std::sqrt(square / static_cast<float>(width) + affine.epsilon);
  if (affine.scale == nullptr) {
    for (int64_t i = 0; i < width; ++i) to[i] *= factor;
  } else if (affine.shift == nullptr) {
    for (int64_t i = 0; i < width; ++i) to[i] *= factor * affine.scale[i];
  } else {
    for (int64_t i = 0; i < width; ++i) to[i] = to[i] * factor * affine.scale[i] + affine.shift[i];
  }
}

template <class Addend>
void normalise_row(const float* x, const Addend* y, int64_t width, Affine affine, float* to) {
  with_lanes([&](auto lanes) TFM_BODY { normalise<decltype(lanes)>(x, y, width, affine, to); });
}

template <class Addend>
void run(const torch::Tensor& x, const torch::Tensor& y, Affine affine,
         const torch::Tensor& result) {
  const auto* from = x.const_data_ptr<float>();
  const auto* added = y.defined() ? static_cast<const Addend*>(y.const_data_ptr()) : nullptr;
  auto* to = result.mutable_data_ptr<float>();
  const int64_t width = x.size(-1);
  const int64_t grain = std::max<int64_t>(1, 16384 / std::max<int64_t>(1, width));
  at::parallel_for(
      0, x.numel() / std::max<int64_t>(1, width), grain, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
          normalise_row(from + row * width, added != nullptr ? added + row * width : nullptr, width,
                        affine, to + row * width);
        }
      });
}

const float* data_or_null(const torch::Tensor& tensor) {
  return tensor.defined() ? tensor.const_data_ptr<float>() : nullptr;
}

}  // namespace

bool has_layer_norm_of_sum(const torch::Tensor& x) {
  return !torch::GradMode::is_enabled() && x.is_cpu() && x.scalar_type() == torch::kFloat32;
}

torch::Tensor layer_norm_of_sum(const torch::Tensor& x, const torch::Tensor& y,
                                const torch::Tensor& scale, const torch::Tensor& shift,
                                double epsilon) {
  const auto base = x.contiguous();
  const auto addend = y.defined() ? y.contiguous() : y;
  auto result = torch::empty_like(base);
  const Affine affine{data_or_null(scale), data_or_null(shift), static_cast<float>(epsilon)};
  const bool wide = !addend.defined() || addend.scalar_type() == torch::kFloat32;
  wide ? run<float>(base, addend, affine, result) : run<Bf16Bits>(base, addend, affine, result);
  return result;
}

}  // namespace tfm
