// The inner loop of step_attention.h: all heads of one query over keys that lie anywhere, in fp32.
#pragma once

#include <cstdint>
#include <span>

#include "tfm/nn/ops/bf16_bits.h"

namespace tfm {

template <class T>
struct RowAttention {
  int64_t heads;
  int64_t width;                      // Dh
  const T* query;                     // [H * Dh]
  std::span<const void* const> keys;  // each [H * Dh], its value's [H * Dh] right behind it
  T* context;                         // [H * Dh], written
};

/// Numbers of scratch memory that it needs for so many keys.
int64_t row_attention_scratch(int64_t heads, int64_t width, int64_t keys);

/// context = softmax(K q / sqrt(Dh)) V for each head; zero where there is no key.
void attend_row(const RowAttention<float>& task, float* scratch);
void attend_row(const RowAttention<Bf16Bits>& task, float* scratch);

}  // namespace tfm
