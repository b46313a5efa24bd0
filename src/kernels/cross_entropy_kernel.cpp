#include "kernels/cross_entropy_kernel.h"

#include <cmath>

#include "kernels/row_sums.h"

namespace tfm {
namespace {

template <class L, class T>
TFM_INLINE RowLoss gradient_row(T* row, int64_t size, int64_t target, float smoothing) {
  const RowSums sums = row_sums<L>(row, size);
  const float log_sum = std::log(sums.exp_sum);
  const float normalizer = sums.largest + log_sum;
  const float each = smoothing / static_cast<float>(size);
  const float target_logit = widen(row[target]);
  const float scale = 1.0F / sums.exp_sum;
  const int64_t whole = size - size % L::count;
  for (int64_t i = 0; i < whole; i += L::count)
    L::store(fast_exp_nonpositive(L::load(row + i) - sums.largest) * scale - each, row + i);
  for (int64_t i = whole; i < size; ++i)
    narrow(fast_exp_nonpositive(widen(row[i]) - sums.largest) * scale - each, row[i]);
  narrow(std::exp(target_logit - normalizer) - (1 - smoothing) - each, row[target]);
  return {normalizer - target_logit, normalizer - sums.sum / static_cast<float>(size)};
}

template <class T>
RowLoss dispatch(T* row, int64_t size, int64_t target, float smoothing) {
  return simd_dispatch([&](auto lanes) TFM_BODY {
    return gradient_row<decltype(lanes)>(row, size, target, smoothing);
  });
}

}  // namespace

RowLoss cross_entropy_gradient(float* row, int64_t size, int64_t target, float smoothing) {
  return dispatch(row, size, target, smoothing);
}

RowLoss cross_entropy_gradient(Bf16* row, int64_t size, int64_t target, float smoothing) {
  return dispatch(row, size, target, smoothing);
}

}  // namespace tfm
