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

template <class T>
TFM_INLINE void log_softmax(const T* logits, int64_t width, float* to) {
  const int64_t whole = width - width % lane_count;
  int strange[lane_count] = {};
  float high[lane_count];
  for (float& lane : high) lane = -std::numeric_limits<float>::infinity();
  for (int64_t i = 0; i < whole; i += lane_count) {
    for (int64_t j = 0; j < lane_count; ++j) {
      const float logit = widen(logits[i + j]);
      to[i + j] = logit;
      high[j] = logit > high[j] ? logit : high[j];
      strange[j] |= is_strange(logit);
    }
  }
  float largest = high[0];
  for (const float each : high) largest = each > largest ? each : largest;
  for (int64_t i = whole; i < width; ++i) {
    to[i] = widen(logits[i]);
    largest = to[i] > largest ? to[i] : largest;
    strange[0] |= is_strange(to[i]);
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

TFM_VECTOR_CLONES void run(const float* logits, int64_t width, float* to) { log_softmax(logits, width, to); }
TFM_VECTOR_CLONES void run(const Bf16Bits* logits, int64_t width, float* to) { log_softmax(logits, width, to); }

}  // namespace

void log_softmax_row(const float* logits, int64_t width, float* to) { run(logits, width, to); }
void log_softmax_row(const Bf16Bits* logits, int64_t width, float* to) { run(logits, width, to); }

}  // namespace tfm
