#include "attention_kernel.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "small_gemm.h"
#include "softmax_rows.h"

namespace tfm {
namespace {

/// The number of queries that are computed together: few enough for their probabilities to stay in
/// the CPU caches.
constexpr int64_t block = 48;

/// Divides the scratch memory into arrays. Rows of Dh or S floats are padded to a multiple of
/// max_lanes.
struct Scratch {
  Scratch(const AttentionShape& shape, float* memory)
      : next(memory), width(round_up_to_lanes(shape.width)), keys(round_up_to_lanes(shape.keys)) {
    for (float** blocks : {&queries, &context, &query_gradient}) *blocks = take(block * width);
    for (float** rows : {&key_rows, &key_gradient, &value_gradient}) *rows = take(keys * width);
    for (float** columns : {&key_columns, &value_columns}) *columns = take(width * keys);
    for (float** scores : {&probabilities, &score_gradient}) *scores = take(block * keys);
  }

  float* take(int64_t numbers) { return std::exchange(next, next + numbers); }
  int64_t size(const float* memory) const { return next - memory; }

  float* next;
  int64_t width;
  int64_t keys;
  float* queries;         // [block, Dh], divided by sqrt(Dh)
  float* context;         // [block, Dh]; in backward, the gradient of the context
  float* query_gradient;  // [block, Dh]
  float* key_rows;        // [S, Dh]; in forward, the values instead of the keys
  float* key_gradient;    // [S, Dh]
  float* value_gradient;  // [S, Dh]
  float* key_columns;     // [Dh, S]
  float* value_columns;   // [Dh, S]
  float* probabilities;   // [block, S]
  float* score_gradient;  // [block, S]
};

/// Copies `count` rows times `scale` into `to` [count, to.stride], with zeros beyond `width`.
template <class T>
TFM_INLINE void load_rows(RowView<const T> from, int64_t count, int64_t width, float scale,
                          RowView<float> to) {
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t j = 0; j < width; ++j)
      to.first[i * to.stride + j] = widen(from.first[i * from.stride + j]) * scale;
    for (int64_t j = width; j < to.stride; ++j) to.first[i * to.stride + j] = 0;
  }
}

/// Transposes `count` rows into `to` [width, to.stride], with zeros beyond `count`. to.stride is a
/// multiple of max_lanes. Whole blocks are transposed in registers, the last columns one by one.
template <class L, class T>
TFM_INLINE void load_columns(RowView<const T> from, int64_t count, int64_t width,
                             RowView<float> to) {
  const int64_t whole = width - width % L::count;
  for (int64_t begin = 0; begin < to.stride; begin += L::count) {
    const int64_t rows = std::clamp<int64_t>(count - begin, 0, L::count);
    const T* first = from.first + begin * from.stride;
    for (int64_t j = 0; j < whole; j += L::count) {
      typename L::Floats square[L::count] = {};
#pragma GCC unroll 16
      for (int64_t i = 0; i < L::count; ++i)
        if (i < rows) square[i] = L::load(first + i * from.stride + j);
      transpose<L>(square);
#pragma GCC unroll 16
      for (int64_t i = 0; i < L::count; ++i)
        L::store(square[i], to.first + (j + i) * to.stride + begin);
    }
    for (int64_t j = whole; j < width; ++j) {
      for (int64_t i = 0; i < L::count; ++i)
        to.first[j * to.stride + begin + i] = i < rows ? widen(first[i * from.stride + j]) : 0;
    }
  }
}

template <class T>
TFM_INLINE void store_rows(RowView<const float> from, int64_t count, int64_t width, float scale,
                           RowView<T> to) {
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t j = 0; j < width; ++j)
      narrow(from.first[i * from.stride + j] * scale, to.first[i * to.stride + j]);
  }
}

/// A block of `count` queries that starts with query `first`. The block attends to the first `keys`
/// keys at most.
struct Block {
  Block(const AttentionShape& shape, int64_t begin)
      : first(begin),
        count(std::min(block, shape.queries - begin)),
        keys(shape.causal ? first + count : shape.keys),
        padded(round_up_to_lanes(keys)) {}
  int64_t first;
  int64_t count;
  int64_t keys;
  int64_t padded;
};

template <class T>
TFM_INLINE RowView<T> from_row(RowView<T> rows, int64_t row) {
  return {rows.first + row * rows.stride, rows.stride};
}

/// Computes s.queries and s.probabilities from `queries` and s.key_columns.
template <class L, class T>
TFM_INLINE void compute_probabilities(const Block& part, const AttentionShape& shape,
                                      RowView<const T> queries, const Scratch& s) {
  const float scale = 1 / std::sqrt(static_cast<float>(shape.width));
  load_rows(from_row(queries, part.first), part.count, shape.width, scale, {s.queries, s.width});
  small_gemm<L>({part.count, part.padded, shape.width}, {s.queries, s.width, 1},
                {s.key_columns, s.keys}, {s.probabilities, s.keys});
  int64_t i = 0;
  if (!shape.causal) {  // all rows have the same keys, and part.padded is s.keys
    for (; i + 4 <= part.count; i += 4)
      softmax_rows<L, 4>(s.probabilities + i * s.keys, part.keys, part.padded);
  }
  for (; i < part.count; ++i)
    softmax_rows<L, 1>(s.probabilities + i * s.keys, shape.causal ? part.first + i + 1 : part.keys,
                       part.padded);
}

template <class L, class T>
TFM_INLINE void forward(const AttentionForward<T>& task, float* memory) {
  const auto& shape = task.shape;
  const Scratch s(shape, memory);
  load_columns<L>(task.keys, shape.keys, shape.width, {s.key_columns, s.keys});
  load_rows(task.values, shape.keys, shape.width, 1, {s.key_rows, s.width});
  for (int64_t begin = 0; begin < shape.queries; begin += block) {
    const Block part(shape, begin);
    if (part.keys == 0) {
      std::fill(s.context, s.context + part.count * s.width, 0.0F);
    } else {
      compute_probabilities<L>(part, shape, task.queries, s);
      small_gemm<L>({part.count, s.width, part.keys}, {s.probabilities, s.keys, 1},
                    {s.key_rows, s.width}, {s.context, s.width});
    }
    store_rows({s.context, s.width}, part.count, shape.width, 1, from_row(task.context, begin));
  }
}

/// Replaces dP, the gradient of the probabilities P, by the gradient of the scores, dS = P (dP -
/// sum_s P dP).
template <class L>
TFM_INLINE void softmax_backward(const float* probabilities, float* gradient, int64_t size) {
  typename L::Floats sums = {};
  for (int64_t i = 0; i < size; i += L::count)
    sums += L::load(probabilities + i) * L::load(gradient + i);
  const float mean = reduce(sums, Add());
  for (int64_t i = 0; i < size; i += L::count)
    L::store(L::load(probabilities + i) * (L::load(gradient + i) - mean), gradient + i);
}

template <class L, class T>
TFM_INLINE void backward(const AttentionBackward<T>& task, float* memory) {
  const auto& shape = task.shape;
  const Scratch s(shape, memory);
  load_columns<L>(task.keys, shape.keys, shape.width, {s.key_columns, s.keys});
  load_columns<L>(task.values, shape.keys, shape.width, {s.value_columns, s.keys});
  load_rows(task.keys, shape.keys, shape.width, 1, {s.key_rows, s.width});
  std::fill(s.key_gradient, s.key_gradient + s.keys * s.width, 0.0F);
  std::fill(s.value_gradient, s.value_gradient + s.keys * s.width, 0.0F);
  for (int64_t begin = 0; begin < shape.queries; begin += block) {
    const Block part(shape, begin);
    std::fill(s.query_gradient, s.query_gradient + part.count * s.width, 0.0F);
    if (part.keys > 0) {
      compute_probabilities<L>(part, shape, task.queries, s);
      load_rows(from_row(task.context_gradient, begin), part.count, shape.width, 1,
                {s.context, s.width});
      small_gemm<L>({part.count, part.padded, shape.width}, {s.context, s.width, 1},
                    {s.value_columns, s.keys}, {s.score_gradient, s.keys});
      for (int64_t i = 0; i < part.count; ++i)
        softmax_backward<L>(s.probabilities + i * s.keys, s.score_gradient + i * s.keys,
                            part.padded);
      small_gemm<L>({part.count, s.width, part.keys}, {s.score_gradient, s.keys, 1},
                    {s.key_rows, s.width}, {s.query_gradient, s.width});
      small_gemm<L>({part.keys, s.width, part.count}, {s.score_gradient, 1, s.keys},
                    {s.queries, s.width}, {s.key_gradient, s.width},
                    /*add=*/true);
      small_gemm<L>({part.keys, s.width, part.count}, {s.probabilities, 1, s.keys},
                    {s.context, s.width}, {s.value_gradient, s.width},
                    /*add=*/true);
    }
    store_rows({s.query_gradient, s.width}, part.count, shape.width,
               1 / std::sqrt(static_cast<float>(shape.width)),
               from_row(task.query_gradient, begin));
  }
  store_rows({s.key_gradient, s.width}, shape.keys, shape.width, 1, task.key_gradient);
  store_rows({s.value_gradient, s.width}, shape.keys, shape.width, 1, task.value_gradient);
}

template <class T>
void run(const AttentionForward<T>& task, float* scratch) {
  simd_dispatch([&](auto lanes) TFM_BODY { forward<decltype(lanes)>(task, scratch); });
}

template <class T>
void run_backward(const AttentionBackward<T>& task, float* scratch) {
  simd_dispatch([&](auto lanes) TFM_BODY { backward<decltype(lanes)>(task, scratch); });
}

}  // namespace

int64_t attention_scratch_size(const AttentionShape& shape) {
  return Scratch(shape, nullptr).size(nullptr);
}

void attend(const AttentionForward<float>& task, float* scratch) { run(task, scratch); }
void attend(const AttentionForward<Bf16>& task, float* scratch) { run(task, scratch); }
void attend_backward(const AttentionBackward<float>& task, float* scratch) {
  run_backward(task, scratch);
}
void attend_backward(const AttentionBackward<Bf16>& task, float* scratch) {
  run_backward(task, scratch);
}

}  // namespace tfm
