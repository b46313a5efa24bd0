#include "tfm/nn/ops/log_softmax_kernel.h"

#include <cmath>
#include <limits>

#include "tfm/nn/ops/row_softmax.h"
#include "tfm/nn/ops/small_product.h"
#include "tfm/nn/ops/vector_exp.h"

namespace tfm {
namespace {

/// NaN or +inf: comparisons pass over the former.
TFM_INLINE int is_strange(float x) { return !(x <= std::numeric_limits<float>::max()); }

/// Where the logits are: elsewhere, or in `to` itself. The same address twice would look like an overlap to the compiler, which then takes one by
/// one.
template <class T>
struct From {
  const T* logits;
  TFM_INLINE float take(int64_t i, float* to) const { return to[i] = widen(logits[i]); }
};
struct InPlace {
  TFM_INLINE float take(int64_t i, const float* to) const { return to[i]; }
};

template <class Source>
TFM_INLINE void log_softmax(const Source& source, int64_t width, float* to) {
  const int64_t whole = width - width % lane_count;
  int strange[lane_count] = {};
  float high[lane_count];
  for (float& lane : high) lane = -std::numeric_limits<float>::infinity();
  for (int64_t i = 0; i < whole; i += lane_count) {
    for (int64_t j = 0; j < lane_count; ++j) {
      const float logit = source.take(i + j, to);
      high[j] = logit > high[j] ? logit : high[j];
      strange[j] |= is_strange(logit);
    }
  }
  float largest = high[0];
  for (const float each : high) largest = each > largest ? each : largest;
  for (int64_t i = whole; i < width; ++i) {
    const float logit = source.take(i, to);
    largest = logit > largest ? logit : largest;
    strange[0] |= is_strange(logit);
  }
  float sums[lane_count] = {};
  for (int64_t i = 0; i < whole; i += lane_count) {
    for (int64_t j = 0; j < lane_count; ++j) sums[j] += exp_of_negative(to[i + j] - largest);
  }
  float sum = sum_of(sums);
  for (int64_t i = whole; i < width; ++i) sum += exp_of_negative(to[i] - largest);
  int any = 0;
  for (const int each : strange) any |= each;
  const float shift = any != 0 ? std::numeric_limits<float>::quiet_NaN() : largest + std::log(sum);
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
