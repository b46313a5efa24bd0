// Products without a library, whose setting up costs more than a small product: one sentence's attention; a few rows with a matrix (row_product.h).
// In registers a tile at a time; for use within with_lanes.
#pragma once

#include <cstdint>

#include "tfm/nn/ops/lanes.h"

namespace tfm {

/// A matrix whose element (i, j) is first[i * row + j * column].
struct Strided {
  const float* first;
  int64_t row;
  int64_t column;
};

/// `rows` rows and `vectors` vectors of columns of the product below.
template <class L, int rows, int vectors>
TFM_INLINE void product_tile(const Strided& a, const float* b, int64_t b_row, int64_t depth, float* c, int64_t c_row, bool add) {
  using Floats = typename L::Floats;
  Floats sum[rows][vectors] = {};
  for (int64_t k = 0; k < depth; ++k) {
    Floats right[vectors];
    for (int v = 0; v < vectors; ++v) right[v] = L::load(b + k * b_row + v * L::count);
    for (int r = 0; r < rows; ++r) {
      const float left = a.first[r * a.row + k * a.column];
      for (int v = 0; v < vectors; ++v) sum[r][v] += left * right[v];
    }
  }
  for (int r = 0; r < rows; ++r) {
    for (int v = 0; v < vectors; ++v) {
      float* out = c + r * c_row + v * L::count;
      L::store(add ? L::load(out) + sum[r][v] : sum[r][v], out);
    }
  }
}

/// product_tile of `rows` rows, at most `most`.
template <class L, int vectors, int most>
TFM_INLINE void product_tile_of(int64_t rows, const Strided& a, const float* b, int64_t b_row, int64_t depth, float* c, int64_t c_row, bool add) {
  if constexpr (most > 1) {
    if (rows < most) return product_tile_of<L, vectors, most - 1>(rows, a, b, b_row, depth, c, c_row, add);
  }
  product_tile<L, most, vectors>(a, b, b_row, depth, c, c_row, add);
}

/// In as few tiles as six rows a tile allow (their six times two sums, two vectors of b and a number of a take fifteen of sixteen registers), as equal
/// in height as can be: a low one takes as long as one of four rows, since each addition waits for the last.
template <class L, int vectors>
TFM_INLINE void product_columns(Strided a, const float* b, int64_t b_row, int64_t m, int64_t depth, float* c, int64_t c_row, bool add) {
  constexpr int tall = 6;
  for (int64_t tiles = (m + tall - 1) / tall; tiles > 0; --tiles) {
    const int64_t rows = (m + tiles - 1) / tiles;
    product_tile_of<L, vectors, tall>(rows, a, b, b_row, depth, c, c_row, add);
    m -= rows, a.first += rows * a.row, c += rows * c_row;
  }
}

/// c = a b, or c += a b. a [m, depth]; b [depth, n] and c [m, n] with rows of b_row and c_row numbers; n a multiple of L::count.
template <class L>
TFM_INLINE void small_product(const Strided& a, const float* b, int64_t b_row, int64_t m, int64_t n, int64_t depth, float* c, int64_t c_row,
                              bool add) {
  int64_t column = 0;
  for (; column + 2 * L::count <= n; column += 2 * L::count) product_columns<L, 2>(a, b + column, b_row, m, depth, c + column, c_row, add);
  if (column < n) product_columns<L, 1>(a, b + column, b_row, m, depth, c + column, c_row, add);
}

}  // namespace tfm
