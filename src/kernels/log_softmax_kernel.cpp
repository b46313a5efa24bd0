#include "log_softmax_kernel.h"

#include <cmath>
#include <limits>

#include "simd.h"
#include "vector_exp.h"

namespace tfm {
namespace {

/// Returns true for NaN and +inf. Every comparison with NaN is false, so the condition is negated.
TFM_INLINE bool is_nan_or_plus_inf(float x) { return !(x <= std::numeric_limits<float>::max()); }

/// The two sources of logits. OutOfPlace copies the logits from another array to `to`. InPlace
/// reads the logits that `to` already contains.
template <class L, class T>
struct OutOfPlace {
  const T* logits;
  TFM_INLINE L::Floats take_lanes(int64_t i, float* to) const {
    const auto x = L::load(logits + i);
    L::store(x, to + i);
    return x;
  }
  TFM_INLINE float take(int64_t i, float* to) const { return to[i] = widen(logits[i]); }
};
template <class L>
struct InPlace {
  TFM_INLINE L::Floats take_lanes(int64_t i, const float* to) const { return L::load(to + i); }
  TFM_INLINE float take(int64_t i, const float* to) const { return to[i]; }
};

template <class L, class Source>
TFM_INLINE void log_softmax(const Source& source, int64_t width, float* to) {
  const int64_t whole = width - width % max_lanes;
  // Several independent maxima are computed, so that a comparison need not wait for the previous
  // one.
  constexpr int64_t chains = 4;
  typename L::Floats highs[chains];
  typename L::Floats faults[chains] = {};  // per lane: 0, or NaN after a logit that is NaN or +inf
  for (auto& high : highs) high = L::broadcast(-std::numeric_limits<float>::infinity());
  const auto look_at = [&](int64_t i, int64_t chain) TFM_BODY {
    const auto logits = source.take_lanes(i, to);
    highs[chain] = Max()(logits, highs[chain]);
    faults[chain] +=
        logits <= std::numeric_limits<float>::max() ? typename L::Floats{} : logits * 0.0F;
  };
  int64_t at = 0;
  for (; at + chains * L::count <= whole; at += chains * L::count) {
#pragma GCC unroll 4
    for (int64_t chain = 0; chain < chains; ++chain) look_at(at + chain * L::count, chain);
  }
  for (; at < whole; at += L::count) look_at(at, 0);
#pragma GCC unroll 4
  for (int64_t chain = 1; chain < chains; ++chain) {
    highs[0] = Max()(highs[chain], highs[0]);
    faults[0] += faults[chain];
  }
  float largest = reduce(highs[0], Max());
  bool invalid = is_nan_or_plus_inf(reduce(faults[0], Add()));
  for (int64_t i = whole; i < width; ++i) {
    const float logit = source.take(i, to);
    largest = logit > largest ? logit : largest;
    invalid |= is_nan_or_plus_inf(logit);
  }
  Accumulator<L> sums(0);
  for (int64_t i = 0; i < whole; i += max_lanes) {
    for (int64_t r = 0; r < Accumulator<L>::registers; ++r)
      sums.parts[r] += fast_exp_nonpositive(L::load(to + i + r * L::count) - largest);
  }
  float sum = sums.reduce(Add());
  for (int64_t i = whole; i < width; ++i) sum += fast_exp_nonpositive(to[i] - largest);
  const float shift = invalid ? std::numeric_limits<float>::quiet_NaN() : largest + std::log(sum);
  for (int64_t i = 0; i < width; ++i) to[i] -= shift;
}

template <class T>
void run(const T* logits, int64_t width, float* to) {
  simd_dispatch([&](auto lanes) TFM_BODY {
    log_softmax<decltype(lanes)>(OutOfPlace<decltype(lanes), T>{logits}, width, to);
  });
}

}  // namespace

void log_softmax_row(const float* logits, int64_t width, float* to) { run(logits, width, to); }
void log_softmax_row(const Bf16* logits, int64_t width, float* to) { run(logits, width, to); }
void log_softmax_row(float* row, int64_t width) {
  simd_dispatch([&](auto lanes) TFM_BODY {
    log_softmax<decltype(lanes)>(InPlace<decltype(lanes)>(), width, row);
  });
}

}  // namespace tfm
