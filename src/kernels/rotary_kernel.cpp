#include "kernels/rotary_kernel.h"

#include <utility>

#include "kernels/simd.h"

namespace tfm {
namespace {

template <class Floats, std::size_t... lane>
TFM_INLINE Floats swap_pairs(const Floats& x, std::index_sequence<lane...>) {
  return __builtin_shufflevector(x, x, (lane ^ 1)...);
}

template <class L, class Number>
TFM_INLINE void rotate(const Number* x, int64_t width, const Rotation& rotation, Number* y) {
  const float sign = rotation.inverse ? -1.0F : 1.0F;
  int64_t i = 0;
  for (; i + L::count <= width; i += L::count) {
    const auto values = L::load(x + i);
    const auto swapped = swap_pairs(values, std::make_index_sequence<L::count>());
    L::store(
        values * L::load(rotation.cosines + i) + swapped * (sign * L::load(rotation.sines + i)),
        y + i);
  }
  for (; i < width; i += 2) {
    const float even = widen(x[i]);
    const float odd = widen(x[i + 1]);
    narrow(even * rotation.cosines[i] + odd * (sign * rotation.sines[i]), y[i]);
    narrow(odd * rotation.cosines[i + 1] + even * (sign * rotation.sines[i + 1]), y[i + 1]);
  }
}

template <class Number>
void dispatch(const Number* x, int64_t heads, int64_t width, const Rotation& rotation, Number* y) {
  simd_dispatch([&](auto lanes) TFM_BODY {
    for (int64_t head = 0; head < heads; ++head)
      rotate<decltype(lanes)>(x + head * width, width, rotation, y + head * width);
  });
}

}  // namespace

void rotate_heads(const float* x, int64_t heads, int64_t width, const Rotation& rotation,
                  float* y) {
  dispatch(x, heads, width, rotation, y);
}

void rotate_heads(const Bf16* x, int64_t heads, int64_t width, const Rotation& rotation, Bf16* y) {
  dispatch(x, heads, width, rotation, y);
}

}  // namespace tfm
