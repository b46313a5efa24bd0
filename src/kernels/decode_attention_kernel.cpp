#include "decode_attention_kernel.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "simd.h"
#include "softmax_rows.h"

namespace tfm {
namespace {

template <class Key>
constexpr bool has_scales = std::is_same_v<Key, int8_t>;

/// The factors of the scores, which divide by sqrt(Dh), too, and those of the values, [padded
/// number of keys] each.
struct Scales {
  float* keys;
  float* values;
};

template <class Query, class Key>
TFM_INLINE void load_scales(const SingleQueryAttention<Query, Key>& task, const Scales& scales) {
  const float scale = 1 / std::sqrt(static_cast<float>(task.width));
  const int64_t padded = round_up_to_lanes(task.count);
  if constexpr (!has_scales<Key>) {
    std::fill(scales.keys, scales.keys + padded, scale);
    std::fill(scales.values, scales.values + padded, 1.0F);
  } else {
    const int64_t numbers = 2 * task.heads * task.width;
    for (int64_t s = 0; s < padded; ++s) {
      const auto* from = static_cast<const Key*>(task.keys[s]) + numbers;
      std::memcpy(scales.keys + s, from, sizeof(float));
      std::memcpy(scales.values + s, from + sizeof(float), sizeof(float));
      scales.keys[s] *= scale;
    }
  }
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

/// Computes the attention for any width of the heads.
template <class L, class Query, class Key>
TFM_INLINE void attend(const SingleQueryAttention<Query, Key>& task, const Scales& scales,
                       float* scratch) {
  const int64_t inner = task.heads * task.width;
  const int64_t padded = round_up_to_lanes(task.count);
  float* query = scratch;
  float* context = query + inner;
  float* probabilities = context + inner;  // [padded]
  for (int64_t i = 0; i < inner; ++i) query[i] = widen(task.query[i]);
  std::fill(context, context + inner, 0.0F);
  for (int64_t head = 0; head < inner; head += task.width) {
    for (int64_t s = 0; s < padded; ++s) {
      const auto* key = static_cast<const Key*>(task.keys[s]) + head;
      probabilities[s] = dot<L>(query + head, key, task.width) * scales.keys[s];
    }
    softmax_rows<L, 1>(probabilities, task.count, padded, scales.values);
    for (int64_t s = 0; s < task.count; ++s) {
      const auto* value = static_cast<const Key*>(task.keys[s]) + inner + head;
      add_scaled<L>(probabilities[s], value, task.width, context + head);
    }
  }
  for (int64_t i = 0; i < inner; ++i) narrow(context[i], task.context[i]);
}

/// Heads whose numbers fill `pairs` pairs of registers each. A group of heads is computed together,
/// so that their softmaxes, in which each step waits for the one before, overlap.
template <class Lanes, int pairs_per_head, int heads_per_group>
struct HeadGroup {
  using L = Lanes;
  static constexpr int pairs = pairs_per_head;
  static constexpr int heads = heads_per_group;
  static constexpr int64_t width = pairs * 2 * L::count;
  static constexpr int64_t numbers = heads * width;
};

/// Loads a group's numbers, which the next query needs, into the cache. Keys and values are far
/// apart in memory, so the processor does not foresee them.
template <class Group, class Key>
TFM_INLINE void prefetch(const Key* next_query) {
  constexpr int64_t cache_line = 64 / sizeof(Key);
#pragma GCC unroll 16
  for (int64_t i = 0; i < Group::numbers; i += cache_line)
    __builtin_prefetch(next_query + i, /*rw=*/0, /*locality=*/2);
}

/// Computes the scores of all keys for a group of heads, [heads, padded]. The queries and keys of
/// the group begin at element `offset`.
template <class Group, class Query, class Key>
TFM_INLINE void score_keys(const SingleQueryAttention<Query, Key>& task, int64_t offset,
                           const float* factors, float* scores) {
  using L = Group::L;
  const int64_t padded = round_up_to_lanes(task.count);
  for (int64_t begin = 0; begin < task.count; begin += L::count) {
#pragma GCC unroll 4
    for (int h = 0; h < Group::heads; ++h) {
      const int64_t head = offset + h * Group::width;
      typename L::Pair query[Group::pairs];
#pragma GCC unroll 4
      for (int p = 0; p < Group::pairs; ++p)
        query[p] = L::load_pair(task.query + head + p * 2 * L::count);
      typename L::Floats products[L::count];
#pragma GCC unroll 16
      for (int64_t i = 0; i < L::count; ++i) {
        const auto* key = static_cast<const Key*>(task.keys[begin + i]) + head;
        if (h == 0) prefetch<Group>(static_cast<const Key*>(task.next_keys[begin + i]) + offset);
        products[i] = typename L::Floats{};
#pragma GCC unroll 4
        for (int p = 0; p < Group::pairs; ++p) {
          const auto numbers = L::load_pair(key + p * 2 * L::count);
          products[i] += numbers.first * query[p].first;
          products[i] += numbers.second * query[p].second;
        }
      }
      L::store(reduce_each<L>(products, Add()) * L::load(factors + begin),
               scores + h * padded + begin);
    }
  }
}

/// Adds up the values of a group of heads, weighted by the probabilities. The sums stay in
/// registers.
template <class Group, class Query, class Key>
TFM_INLINE void sum_values(const SingleQueryAttention<Query, Key>& task, int64_t offset,
                           const float* probabilities) {
  using L = Group::L;
  const int64_t padded = round_up_to_lanes(task.count);
  const int64_t skipped = task.heads * task.width + offset;
  typename L::Pair sums[Group::heads][Group::pairs] = {};
  for (int64_t s = 0; s < task.count; ++s) {
    const auto* value = static_cast<const Key*>(task.keys[s]) + skipped;
    prefetch<Group>(static_cast<const Key*>(task.next_keys[s]) + skipped);
#pragma GCC unroll 4
    for (int h = 0; h < Group::heads; ++h) {
      const float probability = probabilities[h * padded + s];
#pragma GCC unroll 4
      for (int p = 0; p < Group::pairs; ++p) {
        const auto numbers = L::load_pair(value + h * Group::width + p * 2 * L::count);
        sums[h][p].first += numbers.first * probability;
        sums[h][p].second += numbers.second * probability;
      }
    }
  }
#pragma GCC unroll 4
  for (int h = 0; h < Group::heads; ++h) {
#pragma GCC unroll 4
    for (int p = 0; p < Group::pairs; ++p)
      L::store_pair(sums[h][p], task.context + offset + h * Group::width + p * 2 * L::count);
  }
}

/// Computes the attention in groups of heads.
template <class Group, class Query, class Key>
TFM_INLINE void attend_in_registers(const SingleQueryAttention<Query, Key>& task,
                                    const Scales& scales, float* probabilities) {
  const int64_t padded = round_up_to_lanes(task.count);
  for (int64_t offset = 0; offset < task.heads * task.width; offset += Group::numbers) {
    score_keys<Group>(task, offset, scales.keys, probabilities);
    softmax_rows<typename Group::L, Group::heads>(probabilities, task.count, padded, scales.values);
    sum_values<Group>(task, offset, probabilities);
  }
}

/// Calls attend_in_registers for heads of `pairs` pairs of registers, several together if possible.
template <class L, int pairs, class Query, class Key>
TFM_INLINE void attend_in_groups(const SingleQueryAttention<Query, Key>& task, const Scales& scales,
                                 float* probabilities) {
  constexpr int together = 4 / pairs;
  if (task.heads % together == 0)
    return attend_in_registers<HeadGroup<L, pairs, together>>(task, scales, probabilities);
  attend_in_registers<HeadGroup<L, pairs, 1>>(task, scales, probabilities);
}

template <class L, class Query, class Key>
TFM_INLINE void dispatch_width(const SingleQueryAttention<Query, Key>& task, float* scratch) {
  const int64_t padded = round_up_to_lanes(task.count);
  const Scales scales{scratch, scratch + padded};
  load_scales(task, scales);
  float* rest = scratch + 2 * padded;
  constexpr int64_t pair = 2 * L::count;
  if (task.width == pair) return attend_in_groups<L, 1>(task, scales, rest);
  if (task.width == 2 * pair) return attend_in_groups<L, 2>(task, scales, rest);
  if (task.width == 4 * pair) return attend_in_groups<L, 4>(task, scales, rest);
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
  return 2 * heads * width + std::max<int64_t>(4, heads) * padded + 2 * padded;
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
