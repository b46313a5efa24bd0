// The inner loops of varlen_attention.h, for one head of one sentence. Everything is computed in
// fp32, one block of queries at a time, so the probabilities [T, S] are never stored in full. The
// backward pass recomputes them.
#pragma once

#include <cstdint>

#include "bf16.h"
#include "row_view.h"

namespace tfm {

struct AttentionShape {
  int64_t queries;  ///< T
  int64_t keys;     ///< S
  int64_t width;    ///< Dh, the size of one head
  bool causal;      ///< query t attends to keys 0..t only; requires T = S
};

template <class T>
struct AttentionForward {
  AttentionShape shape;
  RowView<const T> queries;  // [T, Dh]
  RowView<const T> keys;     // [S, Dh]
  RowView<const T> values;   // [S, Dh]
  RowView<T> context;        // [T, Dh], output
};

template <class T>
struct AttentionBackward {
  AttentionShape shape;
  RowView<const T> queries;
  RowView<const T> keys;
  RowView<const T> values;
  RowView<const T> context_gradient;
  RowView<T> query_gradient;  // [T, Dh], output
  RowView<T> key_gradient;    // [S, Dh], output
  RowView<T> value_gradient;  // [S, Dh], output
};

/// Returns the number of floats of scratch memory that attend or attend_backward needs.
int64_t attention_scratch_size(const AttentionShape& shape);

/// Computes context = softmax(Q K^T / sqrt(Dh)) V, or zeros if S is 0.
void attend(const AttentionForward<float>& task, float* scratch);
void attend(const AttentionForward<Bf16>& task, float* scratch);
/// Computes the gradients of attend with respect to Q, K and V.
void attend_backward(const AttentionBackward<float>& task, float* scratch);
void attend_backward(const AttentionBackward<Bf16>& task, float* scratch);

}  // namespace tfm
