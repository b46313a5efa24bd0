// The inner loops of packed_attention.h: one head of one sentence. Everything is computed in fp32,
// a block of queries at a time, so that the probabilities [T, S] never exist as a whole; backward
// computes them again.
#pragma once

#include <cstdint>

#include "bf16.h"
#include "row_view.h"

namespace tfm {

/// T queries, S keys, Dh wide. causal: query t sees keys 0..t (T = S).
struct AttentionShape {
  int64_t queries;
  int64_t keys;
  int64_t width;
  bool causal;
};

template <class T>
struct AttentionForward {
  AttentionShape shape;
  RowView<const T> queries;  // [T, Dh]
  RowView<const T> keys;     // [S, Dh]
  RowView<const T> values;   // [S, Dh]
  RowView<T> context;        // [T, Dh], written
};

template <class T>
struct AttentionBackward {
  AttentionShape shape;
  RowView<const T> queries;
  RowView<const T> keys;
  RowView<const T> values;
  RowView<const T> context_gradient;
  RowView<T> query_gradient;  // these three are written
  RowView<T> key_gradient;
  RowView<T> value_gradient;
};

/// Numbers of scratch memory that either direction needs.
int64_t attention_scratch_size(const AttentionShape& shape);

/// context = softmax(Q K^T / sqrt(Dh)) V; zero where there is no key.
void attend(const AttentionForward<float>& task, float* scratch);
void attend(const AttentionForward<Bf16>& task, float* scratch);
/// Its gradients by Q, K and V.
void attend_backward(const AttentionBackward<float>& task, float* scratch);
void attend_backward(const AttentionBackward<Bf16>& task, float* scratch);

}  // namespace tfm
