#include "tfm/nn/ops/log_softmax_kernel.h"

#include <cmath>
#include <limits>

#include "tfm/nn/ops/lanes.h"
#include "tfm/nn/ops/vector_exp.h"

namespace tfm {
namespace {

/// NaN or +inf: comparisons pass over the former.
TFM_INLINE bool is_strange(float x) { return !(x <= std::numeric_limits<float>::max()); }

/// Where the logits are: elsewhere, or in `to` itself. The same address twice would look like an overlap to the compiler, which then takes one by
/// one.
template <class T>
struct From {
  const T* logits;
  TFM_INLINE Lanes take_lanes(int64_t i, float* to) const {
    const Lanes x = load(logits + i);
    store(x, to + i);
    return x;
  }
  TFM_INLINE float take(int64_t i, float* to) const { return to[i] = widen(logits[i]); }
};
struct InPlace {
  TFM_INLINE Lanes take_lanes(int64_t i, const float* to) const { return load(to + i); }
  TFM_INLINE float take(int64_t i, const float* to) const { return to[i]; }
};

template <class Source>
TFM_INLINE void log_softmax(const Source& source, int64_t width, float* to) {
  const int64_t whole = width - width % lane_count;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  Lanes high = all_lanes(-infinity);
  Lanes faults = {};  // 0, or NaN where a logit is NaN or +inf
  for (int64_t i = 0; i < whole; i += lane_count) {
    const Lanes logits = source.take_lanes(i, to);
    high = Larger()(logits, high);
    faults += logits <= std::numeric_limits<float>::max() ? Lanes{} : logits * 0.0F;
  }
  float largest = reduce(high, Larger());
  bool strange = is_strange(reduce(faults, Sum()));
  for (int64_t i = whole; i < width; ++i) {
    const float logit = source.take(i, to);
    largest = logit > largest ? logit : largest;
    strange |= is_strange(logit);
  }
  Lanes sums = {};
  for (int64_t i = 0; i < whole; i += lane_count) sums += exp_of_negative(load(to + i) - largest);
  float sum = reduce(sums, Sum());
  for (int64_t i = whole; i < width; ++i) sum += exp_of_negative(to[i] - largest);
  const float shift = strange ? std::numeric_limits<float>::quiet_NaN() : largest + std::log(sum);
  for (int64_t i = 0; i < width; ++i) to[i] -= shift;
}

TFM_VECTOR_CLONES void run(const float* logits, int64_t width, float* to) { log_softmax(From<float>{logits}, width, to); }
TFM_VECTOR_CLONES void run(const Bf16Bits* logits, int64_t width, float* to) { log_softmax(From<Bf16Bits>{logits}, width, to); }
TFM_VECTOR_CLONES void run(int64_t width, float* row) { log_softmax(InPlace{}, width, row); }

}  // namespace

void log_softmax_row(const float* logits, int64_t width, float* to) { run(logits, width, to); }
void log_softmax_row(const Bf16Bits* logits, int64_t width, float* to) { run(logits, width, to); }
void log_softmax_row(float* row, int64_t width) { run(width, row); }

}  // namespace tfm
