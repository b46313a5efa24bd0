#include "decode_attention_kernel.h"

#include <algorithm>
#include <cmath>

#include "row_softmax.h"
#include "simd.h"

namespace tfm {
namespace {

template <class L, class T>
TFM_INLINE float dot(const float* a, const T* b, int64_t width) {
  typename L::Floats sums = {};
  const int64_t whole = width - width % L::count;
  for (int64_t i = 0; i < whole; i += L::count) sums += L::load(a + i) * L::load(b + i);
  float sum = reduce(sums, Add());
  for (int64_t i = whole; i < width; ++i) sum += a[i] * widen(b[i]);
  return sum;
}

template <class L, class T>
TFM_INLINE void add_scaled(float scale, const T* from, int64_t width, float* to) {
  const int64_t whole = width - width % L::count;
  for (int64_t i = 0; i < whole; i += L::count)
    L::store(L::load(to + i) + L::load(from + i) * scale, to + i);
  for (int64_t i = whole; i < width; ++i) to[i] += scale * widen(from[i]);
}

template <class L, class T>
TFM_INLINE void attend(const SingleQueryAttention<T>& task, float* scratch) {
  const int64_t inner = task.heads * task.width;
  const auto keys = static_cast<int64_t>(task.keys.size());
  const int64_t padded = round_up_to_lanes(keys);
  float* query = scratch;
  float* context = query + inner;
  float* probabilities = context + inner;  // [H, padded]
  const float scale = 1 / std::sqrt(static_cast<float>(task.width));
  for (int64_t i = 0; i < inner; ++i) query[i] = widen(task.query[i]) * scale;
  for (int64_t s = 0; s < keys; ++s) {
    const auto* key = static_cast<const T*>(task.keys[static_cast<std::size_t>(s)]);
    for (int64_t h = 0; h < task.heads; ++h)
      probabilities[h * padded + s] =
          dot<L>(query + h * task.width, key + h * task.width, task.width);
  }
  if (keys > 0) {
    for (int64_t h = 0; h < task.heads; ++h)
      row_softmax<L>(probabilities + h * padded, keys, padded);
  }
  std::fill(context, context + inner, 0.0F);
  for (int64_t s = 0; s < keys; ++s) {
    const auto* value = static_cast<const T*>(task.keys[static_cast<std::size_t>(s)]) + inner;
    for (int64_t h = 0; h < task.heads; ++h)
      add_scaled<L>(probabilities[h * padded + s], value + h * task.width, task.width,
                    context + h * task.width);
  }
  for (int64_t i = 0; i < inner; ++i) narrow(context[i], task.context[i]);
}

template <class T>
void run(const SingleQueryAttention<T>& task, float* scratch) {
  simd_dispatch([&](auto lanes) TFM_BODY { attend<decltype(lanes)>(task, scratch); });
}

}  // namespace

int64_t decode_attention_scratch_size(int64_t heads, int64_t width, int64_t keys) {
  return heads * (2 * width + round_up_to_lanes(keys));
}

void single_query_attention(const SingleQueryAttention<float>& task, float* scratch) {
  run(task, scratch);
}
void single_query_attention(const SingleQueryAttention<Bf16>& task, float* scratch) {
  run(task, scratch);
}

}  // namespace tfm
