#include "layer_norm_kernel.h"

#include <cmath>

#include "kernels/row_view.h"
#include "kernels/simd.h"

namespace tfm {
namespace {

/// Operations on single numbers, for those after the last whole vector.
struct OneLane {
  static constexpr int64_t count = 1;
  static float broadcast(float x) { return x; }
  static float load(const float* from) { return *from; }
  static void store(float x, float* to) { *to = x; }
};

/// Writes x + y to `count` rows, and the mean of each to `means`.
template <class L, int count, class Addend>
TFM_INLINE void add_rows(const AddLayerNorm<Addend>& task, float (&means)[count]) {
  const int64_t width = task.width;
  const int64_t whole = width - width % L::count;
  typename L::Floats sums[count] = {};
  for (int64_t i = 0; i < whole; i += L::count) {
#pragma GCC unroll 4
    for (int r = 0; r < count; ++r) {
      const int64_t at = r * width + i;
      const auto x = L::load(task.x + at);
      const auto sum = task.y != nullptr ? x + L::load(task.y + at) : x;
      L::store(sum, task.to + at);
      sums[r] += sum;
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < count; ++r) {
    float sum = reduce(sums[r], Add());
    for (int64_t at = r * width + whole; at < (r + 1) * width; ++at)
      sum += task.to[at] = task.y != nullptr ? task.x[at] + widen(task.y[at]) : task.x[at];
    means[r] = sum / static_cast<float>(width);
  }
}

/// Subtracts the means from `count` rows, and writes 1 / sqrt(variance + epsilon) to `factors`.
template <class L, int count, class Addend>
TFM_INLINE void subtract_means(const AddLayerNorm<Addend>& task, const float (&means)[count],
                               float (&factors)[count]) {
  const int64_t width = task.width;
  const int64_t whole = width - width % L::count;
  typename L::Floats squares[count] = {};
  for (int64_t i = 0; i < whole; i += L::count) {
#pragma GCC unroll 4
    for (int r = 0; r < count; ++r) {
      float* to = task.to + r * width + i;
      const typename L::Floats distance = L::load(to) - means[r];
      L::store(distance, to);
      squares[r] += distance * distance;
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < count; ++r) {
    float square = reduce(squares[r], Add());
    for (int64_t at = r * width + whole; at < (r + 1) * width; ++at) {
      task.to[at] -= means[r];
      square += task.to[at] * task.to[at];
    }
    factors[r] = 1 / std::sqrt(square / static_cast<float>(width) + task.affine.epsilon);
  }
}

/// Multiplies `count` rows by the factors, and applies gain and bias, in vectors from `begin` to
/// `end`. The distance of the ends is a multiple of L::count.
template <class L, int count>
TFM_INLINE void scale_rows(const NormAffine& affine, const float (&factors)[count], int64_t begin,
                           int64_t end, RowView<float> to) {
  for (int64_t i = begin; i < end; i += L::count) {
    const auto gain = affine.scale != nullptr ? L::load(affine.scale + i) : L::broadcast(1);
    const auto bias = affine.shift != nullptr ? L::load(affine.shift + i) : L::broadcast(0);
#pragma GCC unroll 4
    for (int r = 0; r < count; ++r) {
      float* at = to.first + r * to.stride + i;
      L::store(L::load(at) * factors[r] * gain + bias, at);
    }
  }
}

/// Normalises `count` rows, so that their steps, each of which waits for the one before, overlap.
template <class L, int count, class Addend>
TFM_INLINE void normalize_together(const AddLayerNorm<Addend>& task) {
  float means[count];
  float factors[count];
  add_rows<L, count>(task, means);
  subtract_means<L, count>(task, means, factors);
  const int64_t whole = task.width - task.width % L::count;
  scale_rows<L, count>(task.affine, factors, 0, whole, {task.to, task.width});
  scale_rows<OneLane, count>(task.affine, factors, whole, task.width, {task.to, task.width});
}

template <class L, int count, class Addend>
TFM_INLINE void normalize_in_groups(AddLayerNorm<Addend>& task) {
  for (; task.rows >= count; task.rows -= count) {
    normalize_together<L, count>(task);
    task.x += count * task.width;
    if (task.y != nullptr) task.y += count * task.width;
    task.to += count * task.width;
  }
}

template <class Addend>
void run(AddLayerNorm<Addend> task) {
  simd_dispatch([&](auto lanes) TFM_BODY {
    normalize_in_groups<decltype(lanes), 4>(task);
    normalize_in_groups<decltype(lanes), 1>(task);
  });
}

}  // namespace

void add_layer_norm_rows(const AddLayerNorm<float>& task) { run(task); }
void add_layer_norm_rows(const AddLayerNorm<Bf16>& task) { run(task); }

}  // namespace tfm
