// Products without a library, whose setting up costs more than a small product: one sentence's
// attention; a few rows with a matrix (row_product.h). In registers a tile at a time; for use
// within simd_dispatch.
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

/// a [m, depth], b [depth, n], c [m, n]
struct GemmShape {
  int64_t m;
  int64_t n;
  int64_t depth;
};

/// c = a b, or c += a b.
struct GemmTask {
  GemmShape size;
  StridedMatrix a;
  RowView<const float> b;
  RowView<float> c;
  bool add;
};

/// The first `rows` rows and `vectors` vectors of columns.
template <class L, int rows, int vectors>
TFM_INLINE void gemm_micro_kernel(const GemmTask& p) {
  using Floats = typename L::Floats;
  Floats sum[rows][vectors] = {};
  for (int64_t k = 0; k < p.size.depth; ++k) {
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

/// gemm_micro_kernel of `rows` rows, at most `most`.
template <class L, int vectors, int most>
TFM_INLINE void dispatch_tile_height(int64_t rows, const GemmTask& p) {
  if constexpr (most > 1) {
    if (rows < most) return dispatch_tile_height<L, vectors, most - 1>(rows, p);
  }
  gemm_micro_kernel<L, most, vectors>(p);
}

/// The first `vectors` vectors of columns, in as few tiles as six rows a tile allow (their six
/// times two sums, two vectors of b and a number of a take fifteen of sixteen registers), as equal
/// in height as can be: a low one takes as long as one of four rows, since each addition waits for
/// the last.
template <class L, int vectors>
TFM_INLINE void gemm_columns(GemmTask p) {
  constexpr int tall = 6;
  for (int64_t tiles = (p.size.m + tall - 1) / tall; tiles > 0; --tiles) {
    const int64_t rows = (p.size.m + tiles - 1) / tiles;
    dispatch_tile_height<L, vectors, tall>(rows, p);
    p.size.m -= rows, p.a.first += rows * p.a.row, p.c.first += rows * p.c.stride;
  }
}

/// c = a b, or c += a b where `add`; n a multiple of L::count.
template <class L>
TFM_INLINE void small_gemm(GemmShape size, StridedMatrix a, RowView<const float> b,
                           RowView<float> c, bool add = false) {
  constexpr int64_t two = 2 * L::count;
  for (; size.n >= two; size.n -= two, b.first += two, c.first += two)
    gemm_columns<L, 2>({size, a, b, c, add});
  if (size.n > 0) gemm_columns<L, 1>({size, a, b, c, add});
}

}  // namespace tfm
