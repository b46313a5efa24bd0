// The inner loops of packed_attention.h: one head of one sentence. Everything is computed in fp32, a block of queries at a time, so that the
// probabilities [T, S] never exist as a whole; backward computes them again.
#pragma once

#include <cstdint>

#include "tfm/nn/ops/bf16_bits.h"

namespace tfm {

/// T queries, S keys, Dh wide. causal: query t sees keys 0..t (T = S).
struct AttentionShape {
  int64_t queries;
  int64_t keys;
  int64_t width;
  bool causal;
};

/// Rows of Dh numbers, each `stride` numbers after the last.
template <class Number>
struct HeadRows {
  Number* first;
  int64_t stride;
};

template <class T>
struct AttentionForward {
  AttentionShape shape;
  HeadRows<const T> queries;  // [T, Dh]
  HeadRows<const T> keys;     // [S, Dh]
  HeadRows<const T> values;   // [S, Dh]
  HeadRows<T> context;        // [T, Dh], written
};

template <class T>
struct AttentionBackward {
  AttentionShape shape;
  HeadRows<const T> queries;
  HeadRows<const T> keys;
  HeadRows<const T> values;
  HeadRows<const T> context_gradient;
  HeadRows<T> query_gradient;  // these three are written
  HeadRows<T> key_gradient;
  HeadRows<T> value_gradient;
};

/// Numbers of scratch memory that either direction needs.
int64_t attention_scratch(const AttentionShape& shape);

/// context = softmax(Q K^T / sqrt(Dh)) V; zero where there is no key.
void attend(const AttentionForward<float>& task, float* scratch);
void attend(const AttentionForward<Bf16Bits>& task, float* scratch);
/// Its gradients by Q, K and V.
void attend_backward(const AttentionBackward<float>& task, float* scratch);
void attend_backward(const AttentionBackward<Bf16Bits>& task, float* scratch);

}  // namespace tfm
