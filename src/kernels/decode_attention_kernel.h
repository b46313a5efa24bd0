// The inner loop of decode_attention.h, which computes all heads of one query in fp32. The keys may
// be anywhere in memory. Keys and values are in the data type of the queries, or in 8 bits for
// queries in fp32.
#pragma once

#include <cstdint>

#include "bf16.h"

namespace tfm {

template <class Query, class Key>
struct SingleQueryAttention {
  int64_t heads;
  int64_t width;       // Dh
  const Query* query;  // [H * Dh]
  int64_t count;       // number of keys
  // addresses of the keys [H * Dh], each of which is directly followed by its value [H * Dh] and,
  // in 8 bits, by two fp32 numbers at any address: the scales of the key and of the value; the last
  // address is repeated until their number is a multiple of max_lanes (simd.h)
  const void* const* keys;
  // keys of the next query, at least as many, which are loaded into the cache meanwhile
  const void* const* next_keys;
  Query* context;  // [H * Dh], output
};

/// Returns the number of floats of scratch memory that single_query_attention needs for `keys`
/// keys.
int64_t decode_attention_scratch_size(int64_t heads, int64_t width, int64_t keys);

/// Computes context = softmax(K q / sqrt(Dh)) V for each head, or zeros if there are no keys.
void single_query_attention(const SingleQueryAttention<float, float>& task, float* scratch);
void single_query_attention(const SingleQueryAttention<Bf16, Bf16>& task, float* scratch);
void single_query_attention(const SingleQueryAttention<float, int8_t>& task, float* scratch);

}  // namespace tfm
