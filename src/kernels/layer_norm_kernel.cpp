#include "kernels/layer_norm_kernel.h"

#include <cmath>

#include "kernels/simd.h"

namespace tfm {
namespace {

template <class L, class Addend>
TFM_INLINE void normalize(const float* x, const Addend* y, int64_t width, NormAffine affine,
                          float* to) {
  const int64_t whole = width - width % L::count;
  typename L::Floats sums = {};
  for (int64_t i = 0; i < whole; i += L::count) {
    const auto sum = y != nullptr ? L::load(x + i) + L::load(y + i) : L::load(x + i);
    L::store(sum, to + i);
    sums += sum;
  }
  float sum = reduce(sums, Add());
  for (int64_t i = whole; i < width; ++i) sum += to[i] = y != nullptr ? x[i] + widen(y[i]) : x[i];
  const float mean = sum / static_cast<float>(width);
  typename L::Floats squares = {};
  for (int64_t i = 0; i < whole; i += L::count) {
    const typename L::Floats distance = L::load(to + i) - mean;
    L::store(distance, to + i);
    squares += distance * distance;
  }
  float square = reduce(squares, Add());
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
void dispatch(const float* x, const Addend* y, int64_t width, NormAffine affine, float* to) {
  simd_dispatch([&](auto lanes) TFM_BODY { normalize<decltype(lanes)>(x, y, width, affine, to); });
}

}  // namespace

void add_layer_norm_row(const float* x, const float* y, int64_t width, NormAffine affine,
                        float* to) {
  dispatch(x, y, width, affine, to);
}

void add_layer_norm_row(const float* x, const Bf16* y, int64_t width, NormAffine affine,
                        float* to) {
  dispatch(x, y, width, affine, to);
}

}  // namespace tfm
