// The inner loop of decode_attention.h: all heads of one query over keys that lie anywhere, in
// fp32.
#pragma once

#include <cstdint>
#include <span>

#include "bf16.h"

namespace tfm {

template <class T>
struct SingleQueryAttention {
  int64_t heads;
  int64_t width;                      // Dh
  const T* query;                     // [H * Dh]
  std::span<const void* const> keys;  // each [H * Dh], its value's [H * Dh] right behind it
  T* context;                         // [H * Dh], written
};

/// Numbers of scratch memory that it needs for so many keys.
int64_t decode_attention_scratch_size(int64_t heads, int64_t width, int64_t keys);

/// context = softmax(K q / sqrt(Dh)) V for each head; zero where there is no key.
void single_query_attention(const SingleQueryAttention<float>& task, float* scratch);
void single_query_attention(const SingleQueryAttention<Bf16>& task, float* scratch);

}  // namespace tfm
