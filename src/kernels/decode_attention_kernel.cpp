#include "decode_attention_kernel.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "row_softmax.h"
#include "simd.h"

namespace tfm {
namespace {

template <class Key>
constexpr bool has_scales = std::is_same_v<Key, int8_t>;

/// The scales of keys and values in 8 bits, [padded number of keys] each.
struct Scales {
  float* keys;
  float* values;
};

template <class Query, class Key>
TFM_INLINE void load_scales(const SingleQueryAttention<Query, Key>& task, const Scales& scales) {
  const int64_t numbers = 2 * task.heads * task.width;
  for (int64_t s = 0; s < round_up_to_lanes(task.count); ++s) {
    const auto* from = static_cast<const Key*>(task.keys[s]) + numbers;
    std::memcpy(scales.keys + s, from, sizeof(float));
    std::memcpy(scales.values + s, from + sizeof(float), sizeof(float));
  }
}

template <class L>
TFM_INLINE void multiply_row(const float* factors, int64_t padded, float* row) {
  for (int64_t i = 0; i < padded; i += L::count)
    L::store(L::load(row + i) * L::load(factors + i), row + i);
}

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

/// Replaces the scores of a head by the probabilities, times the scales of the values if there are
/// any.
template <class L, class Query, class Key>
TFM_INLINE void normalize_scores(const SingleQueryAttention<Query, Key>& task, const Scales& scales,
                                 float* row) {
  const int64_t padded = round_up_to_lanes(task.count);
  if constexpr (has_scales<Key>) multiply_row<L>(scales.keys, padded, row);
  row_softmax<L>(row, task.count, padded);
  if constexpr (has_scales<Key>) multiply_row<L>(scales.values, padded, row);
}

/// Computes the attention for any width of the heads.
template <class L, class Query, class Key>
TFM_INLINE void attend(const SingleQueryAttention<Query, Key>& task, const Scales& scales,
                       float* scratch) {
  const int64_t inner = task.heads * task.width;
  const int64_t keys = task.count;
  const int64_t padded = round_up_to_lanes(keys);
  float* query = scratch;
  float* context = query + inner;
  float* probabilities = context + inner;  // [H, padded]
  const float scale = 1 / std::sqrt(static_cast<float>(task.width));
  for (int64_t i = 0; i < inner; ++i) query[i] = widen(task.query[i]) * scale;
  for (int64_t s = 0; s < keys; ++s) {
    const auto* key = static_cast<const Key*>(task.keys[s]);
    for (int64_t h = 0; h < task.heads; ++h)
      probabilities[h * padded + s] =
          dot<L>(query + h * task.width, key + h * task.width, task.width);
  }
  for (int64_t h = 0; h < task.heads; ++h)
    normalize_scores<L>(task, scales, probabilities + h * padded);
  std::fill(context, context + inner, 0.0F);
  for (int64_t s = 0; s < keys; ++s) {
    const auto* value = static_cast<const Key*>(task.keys[s]) + inner;
    for (int64_t h = 0; h < task.heads; ++h)
      add_scaled<L>(probabilities[h * padded + s], value + h * task.width, task.width,
                    context + h * task.width);
  }
  for (int64_t i = 0; i < inner; ++i) narrow(context[i], task.context[i]);
}

/// Loads what is needed soon into the caches: the same part of the next head, and the `count`
/// numbers at `next_query`, which the next query needs. Keys and values are far apart in memory, so
/// the processor does not foresee them.
template <int64_t count, class Key>
TFM_INLINE void prefetch(const Key* head, const Key* next_query) {
  constexpr int64_t cache_line = 64 / sizeof(Key);
  __builtin_prefetch(head + count);
#pragma GCC unroll 8
  for (int64_t i = 0; i < count; i += cache_line)
    __builtin_prefetch(next_query + i, /*rw=*/0, /*locality=*/2);
}

/// Computes the scores of all keys for one head. The query and keys of the head begin at element
/// `offset` and fill `pairs` pairs of registers. The query stays in registers.
template <class L, int pairs, class Query, class Key>
TFM_INLINE void score_keys(const SingleQueryAttention<Query, Key>& task, int64_t offset,
                           float* scores) {
  const float scale = 1 / std::sqrt(static_cast<float>(task.width));
  typename L::Pair query[pairs];
#pragma GCC unroll 4
  for (int p = 0; p < pairs; ++p) {
    query[p] = L::load_pair(task.query + offset + p * 2 * L::count);
    query[p].first *= scale;
    query[p].second *= scale;
  }
  for (int64_t begin = 0; begin < task.count; begin += L::count) {
    typename L::Floats products[L::count];
#pragma GCC unroll 16
    for (int64_t i = 0; i < L::count; ++i) {
      const auto* key = static_cast<const Key*>(task.keys[begin + i]) + offset;
      prefetch<pairs * 2 * L::count>(key,
                                     static_cast<const Key*>(task.next_keys[begin + i]) + offset);
      products[i] = typename L::Floats{};
#pragma GCC unroll 4
      for (int p = 0; p < pairs; ++p) {
        const auto numbers = L::load_pair(key + p * 2 * L::count);
        products[i] += numbers.first * query[p].first;
        products[i] += numbers.second * query[p].second;
      }
    }
    L::store(sum_each<L>(products), scores + begin);
  }
}

/// Adds up the values of one head, weighted by the probabilities. The sums stay in registers. Even
/// and odd keys have separate sums, so that an addition need not wait for the previous one.
template <class L, int pairs, class Query, class Key>
TFM_INLINE void sum_values(const SingleQueryAttention<Query, Key>& task, int64_t offset,
                           const float* probabilities) {
  const int64_t skipped = task.heads * task.width + offset;
  typename L::Pair sums[2][pairs] = {};
  for (int64_t begin = 0; begin < task.count; begin += 2) {
#pragma GCC unroll 2
    for (int64_t i = 0; i < 2; ++i) {
      const auto* value = static_cast<const Key*>(task.keys[begin + i]) + skipped;
      const float probability = probabilities[begin + i];
      prefetch<pairs * 2 * L::count>(value,
                                     static_cast<const Key*>(task.next_keys[begin + i]) + skipped);
#pragma GCC unroll 4
      for (int p = 0; p < pairs; ++p) {
        const auto numbers = L::load_pair(value + p * 2 * L::count);
        sums[i][p].first += numbers.first * probability;
        sums[i][p].second += numbers.second * probability;
      }
    }
  }
#pragma GCC unroll 4
  for (int p = 0; p < pairs; ++p) {
    L::store_pair({sums[0][p].first + sums[1][p].first, sums[0][p].second + sums[1][p].second},
                  task.context + offset + p * 2 * L::count);
  }
}

/// Computes the attention for heads that fill `pairs` pairs of registers.
template <class L, int pairs, class Query, class Key>
TFM_INLINE void attend_in_registers(const SingleQueryAttention<Query, Key>& task,
                                    const Scales& scales, float* probabilities) {
  for (int64_t h = 0; h < task.heads; ++h) {
    score_keys<L, pairs>(task, h * task.width, probabilities);
    normalize_scores<L>(task, scales, probabilities);
    sum_values<L, pairs>(task, h * task.width, probabilities);
  }
}

template <class L, class Query, class Key>
TFM_INLINE void dispatch_width(const SingleQueryAttention<Query, Key>& task, float* scratch) {
  const int64_t padded = round_up_to_lanes(task.count);
  const Scales scales{scratch, scratch + padded};
  if constexpr (has_scales<Key>) load_scales(task, scales);
  float* rest = scratch + 2 * padded;
  constexpr int64_t pair = 2 * L::count;
  if (task.width == pair) return attend_in_registers<L, 1>(task, scales, rest);
  if (task.width == 2 * pair) return attend_in_registers<L, 2>(task, scales, rest);
  if (task.width == 4 * pair) return attend_in_registers<L, 4>(task, scales, rest);
  attend<L>(task, scales, rest);
}

template <class Query, class Key>
void run(const SingleQueryAttention<Query, Key>& task, float* scratch) {
  if (task.count == 0) {
    std::fill_n(task.context, task.heads * task.width, Query{});
    return;
  }
  simd_dispatch([&](auto lanes) TFM_BODY { dispatch_width<decltype(lanes)>(task, scratch); });
}

}  // namespace

int64_t decode_attention_scratch_size(int64_t heads, int64_t width, int64_t keys) {
  const int64_t padded = round_up_to_lanes(keys);
  return 2 * padded + heads * (2 * width + padded);
}

void single_query_attention(const SingleQueryAttention<float, float>& task, float* scratch) {
  run(task, scratch);
}
void single_query_attention(const SingleQueryAttention<Bf16, Bf16>& task, float* scratch) {
  run(task, scratch);
}
void single_query_attention(const SingleQueryAttention<float, int8_t>& task, float* scratch) {
  run(task, scratch);
}

}  // namespace tfm
