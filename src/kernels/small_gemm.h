// Multiplies small matrices without a library, because setting up a library's GEMM costs more than
// a small multiplication. The kernel computes the attention of one sentence, and the products of
// batch_invariant_gemm.h. The result is computed in registers, one tile at a time. Call small_gemm
// only within simd_dispatch.
#pragma once

#include <cstdint>

#include "row_view.h"
#include "simd.h"

namespace tfm {

/// A matrix whose element (i, j) is first[i * row + j * column].
struct StridedMatrix {
  const float* first;
  int64_t row;
  int64_t column;
};

/// The sizes in c = a b, for matrices a [m, k], b [k, n] and c [m, n].
struct GemmShape {
  int64_t m;
  int64_t n;
  int64_t k;
};

/// Computes c = a b, or c += a b if `add` is set.
struct GemmTask {
  GemmShape shape;
  StridedMatrix a;
  RowView<const float> b;
  RowView<float> c;
  bool add;
};

/// Computes the first `rows` rows and the first `vectors` * L::count columns of c.
template <class L, int rows, int vectors>
TFM_INLINE void gemm_micro_kernel(const GemmTask& p) {
  using Floats = L::Floats;
  Floats sum[rows][vectors] = {};
  for (int64_t k = 0; k < p.shape.k; ++k) {
    Floats right[vectors];
    for (int v = 0; v < vectors; ++v) right[v] = L::load(p.b.first + k * p.b.stride + v * L::count);
    for (int r = 0; r < rows; ++r) {
      const float left = p.a.first[r * p.a.row + k * p.a.column];
      for (int v = 0; v < vectors; ++v) sum[r][v] += left * right[v];
    }
  }
  for (int r = 0; r < rows; ++r) {
    for (int v = 0; v < vectors; ++v) {
      float* out = p.c.first + r * p.c.stride + v * L::count;
      L::store(p.add ? L::load(out) + sum[r][v] : sum[r][v], out);
    }
  }
}

/// Calls gemm_micro_kernel for a number of rows that is known only at run time and is at most
/// `most`.
template <class L, int vectors, int most>
TFM_INLINE void dispatch_tile_height(int64_t rows, const GemmTask& p) {
  if constexpr (most > 1) {
    if (rows < most) return dispatch_tile_height<L, vectors, most - 1>(rows, p);
  }
  gemm_micro_kernel<L, most, vectors>(p);
}

/// Computes the first `vectors` * L::count columns of c, in as few tiles of at most six rows as
/// possible. A tile of six rows takes 15 of 16 registers: 6 x 2 sums, two vectors of b and one
/// number of a. The tiles are as equal in height as possible. A tile of fewer than four rows takes
/// as long as one of four, because each addition waits for the previous one.
template <class L, int vectors>
TFM_INLINE void gemm_columns(GemmTask p) {
  constexpr int tall = 6;
  for (int64_t tiles = (p.shape.m + tall - 1) / tall; tiles > 0; --tiles) {
    const int64_t rows = (p.shape.m + tiles - 1) / tiles;
    dispatch_tile_height<L, vectors, tall>(rows, p);
    p.shape.m -= rows, p.a.first += rows * p.a.row, p.c.first += rows * p.c.stride;
  }
}

/// Computes c = a b, or c += a b if `add` is set. n must be a multiple of L::count.
template <class L>
TFM_INLINE void small_gemm(GemmShape shape, StridedMatrix a, RowView<const float> b,
                           RowView<float> c, bool add = false) {
  constexpr int64_t two = 2 * L::count;
  for (; shape.n >= two; shape.n -= two, b.first += two, c.first += two)
    gemm_columns<L, 2>({shape, a, b, c, add});
  if (shape.n > 0) gemm_columns<L, 1>({shape, a, b, c, add});
}

}  // namespace tfm
