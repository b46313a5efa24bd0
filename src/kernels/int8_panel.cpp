#include "kernels/int8_panel.h"

#include <algorithm>
#include <cstring>

#include "kernels/cpu_features.h"
#include "kernels/int8_amx.h"
#include "kernels/int8_panel_task.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tfm {
namespace {

void multiply_portable(const Int8PanelTask& task) {
  for (int64_t row = 0; row < task.rows; ++row) {
    const int8_t* x = task.x + row * task.groups * int8_group;
    Int8RowSums sums = {};
    for (int64_t k = 0; k < task.groups; ++k) {
      const int8_t* w = task.panel + k * int8_panel_width * int8_group;
      for (int64_t j = 0; j < int8_panel_width; ++j) {
        for (int64_t i = 0; i < int8_group; ++i)
          sums[j] += int32_t{x[k * int8_group + i]} * int32_t{w[j * int8_group + i]};
      }
    }
    write_row(task, row, sums);
  }
}

#if defined(__x86_64__)

#define TFM_AVX2 __attribute__((target("avx2,fma")))
#define TFM_VNNI __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma")))

/// The part of the next panel that is loaded into the cache while one tile of rows is multiplied.
/// In each group, the tile loads `stride` bytes from first + group * stride.
struct Prefetch {
  const int8_t* first;
  int64_t stride;

  __attribute__((always_inline)) void load(int64_t group) const {
    constexpr int64_t cache_line = 64;
    __builtin_prefetch(first + group * stride);
    if (stride > cache_line) __builtin_prefetch(first + group * stride + cache_line);
  }
};

/// Divides the loading of the next panel among the tiles of a call. If the first tile of each call
/// had to wait for memory, products of few rows would take up to half as long again.
class PanelPrefetch {
 public:
  __attribute__((always_inline)) PanelPrefetch(const Int8PanelTask& task, int64_t tile_rows)
      : part_{
            .first = task.next_panel,
            .stride = group_bytes / std::max<int64_t>(1, (task.rows + tile_rows - 1) / tile_rows)},
        bytes_(part_.stride * task.groups) {}

  /// Returns the part of the next tile.
  __attribute__((always_inline)) Prefetch next() {
    const auto part = part_;
    part_.first += bytes_;
    return part;
  }

 private:
  static constexpr int64_t group_bytes = int8_panel_width * int8_group;
  Prefetch part_;
  int64_t bytes_;
};

int32_t four_numbers(const int8_t* from) {
  int32_t four = 0;
  std::memcpy(&four, from, sizeof(four));
  return four;
}

// The number of rows of a tile is a template parameter, so that the loops over a tile can be
// unrolled completely. Otherwise, GCC 12 does not keep the sums in registers and copies every sum
// in every iteration.

/// Multiplies `rows` rows of x, from row `first`, by the panel. vpmaddubsw multiplies unsigned by
/// signed numbers and adds two products in 16 bits. It therefore receives |x|, and W with the sign
/// of x. The sum is at most 2 * 127 * 127 in absolute value, so it does not overflow.
template <int rows>
TFM_AVX2 inline void multiply_tile_avx2(const Int8PanelTask& task, int64_t first,
                                        Prefetch prefetch) {
  constexpr int vectors = 4;
  const int8_t* x = task.x + first * task.groups * int8_group;
  const __m256i ones = _mm256_set1_epi16(1);
  __m256i sums[rows][vectors];
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) sums[r][v] = _mm256_setzero_si256();
  }
  for (int64_t k = 0; k < task.groups; ++k) {
    const auto* panel =
        reinterpret_cast<const __m256i*>(task.panel + k * int8_panel_width * int8_group);
    prefetch.load(k);
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r) {
      const __m256i numbers =
          _mm256_set1_epi32(four_numbers(x + (r * task.groups + k) * int8_group));
      const __m256i sizes = _mm256_abs_epi8(numbers);
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) {
        const __m256i signed_weights = _mm256_sign_epi8(_mm256_loadu_si256(panel + v), numbers);
        const __m256i pairs = _mm256_maddubs_epi16(sizes, signed_weights);
        sums[r][v] = _mm256_add_epi32(sums[r][v], _mm256_madd_epi16(pairs, ones));
      }
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r) {
    Int8RowSums numbers;
    std::memcpy(numbers, sums[r], sizeof(numbers));
    write_row(task, first + r, numbers);
  }
}

TFM_AVX2 void multiply_avx2(const Int8PanelTask& task) {
  constexpr int tile = 2;
  PanelPrefetch prefetch(task, tile);
  int64_t row = 0;
  for (; row + tile <= task.rows; row += tile) multiply_tile_avx2<tile>(task, row, prefetch.next());
  if (row < task.rows) multiply_tile_avx2<1>(task, row, prefetch.next());
}

/// Multiplies `rows` rows of x, from row `first`, by the panel. vpdpbusd multiplies unsigned by
/// signed numbers, so the panel holds W + 128. To compensate, each sum begins with -128 times the
/// sum of the row of x. With fewer than four rows, each sum has several independent parts, so that
/// an instruction need not wait for the previous one.
template <int rows>
TFM_VNNI inline void multiply_tile_vnni(const Int8PanelTask& task, int64_t first,
                                        Prefetch prefetch) {
  constexpr int parts = (4 + rows - 1) / rows;
  const int8_t* x = task.x + first * task.groups * int8_group;
  __m512i sums[parts][rows][2];
#pragma GCC unroll 8
  for (int p = 0; p < parts; ++p) {
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      sums[p][r][0] = _mm512_set1_epi32(p == 0 ? -128 * task.x_sums[first + r] : 0);
      sums[p][r][1] = sums[p][r][0];
    }
  }
  const auto add = [&](int64_t k, auto& sum) TFM_VNNI __attribute__((always_inline)) {
    const int8_t* panel = task.panel + k * int8_panel_width * int8_group;
    const __m512i left = _mm512_loadu_si512(panel);
    const __m512i right = _mm512_loadu_si512(panel + 64);
    prefetch.load(k);
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      const __m512i numbers =
          _mm512_set1_epi32(four_numbers(x + (r * task.groups + k) * int8_group));
      sum[r][0] = _mm512_dpbusd_epi32(sum[r][0], left, numbers);
      sum[r][1] = _mm512_dpbusd_epi32(sum[r][1], right, numbers);
    }
  };
  int64_t k = 0;
  for (; k + parts <= task.groups; k += parts) {
#pragma GCC unroll 8
    for (int p = 0; p < parts; ++p) add(k + p, sums[p]);
  }
  for (; k < task.groups; ++k) add(k, sums[0]);
  alignas(64) Int8RowSums totals[rows];
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 8
    for (int p = 1; p < parts; ++p) {
      sums[0][r][0] = _mm512_add_epi32(sums[0][r][0], sums[p][r][0]);
      sums[0][r][1] = _mm512_add_epi32(sums[0][r][1], sums[p][r][1]);
    }
    std::memcpy(totals[r], sums[0][r], sizeof(totals[r]));
  }
  write_rows_avx512(task, first, totals, rows);
}

/// Multiplies the rows from row `first` to the end by the panel. There are at most `most`.
template <int most>
TFM_VNNI void multiply_remaining_rows(const Int8PanelTask& task, int64_t first, Prefetch prefetch) {
  if constexpr (most > 0) {
    if (task.rows - first < most) return multiply_remaining_rows<most - 1>(task, first, prefetch);
    multiply_tile_vnni<most>(task, first, prefetch);
  }
}

TFM_VNNI void multiply_vnni(const Int8PanelTask& task) {
  constexpr int tile = 8;
  PanelPrefetch prefetch(task, tile);
  int64_t row = 0;
  for (; row + tile <= task.rows; row += tile) multiply_tile_vnni<tile>(task, row, prefetch.next());
  multiply_remaining_rows<tile - 1>(task, row, prefetch.next());
}

#endif

}  // namespace

Int8Kernel best_int8_kernel() {
  const auto& features = cpu_features();
  if (features.amx) return Int8Kernel::amx;
  if (features.vnni) return Int8Kernel::vnni;
  return features.simd_width >= 8 ? Int8Kernel::avx2 : Int8Kernel::portable;
}

void multiply_panels(Int8Kernel kernel, const Int8Product& product) {
#if defined(__x86_64__)
  if (kernel == Int8Kernel::amx) return multiply_amx(product);
  if (kernel == Int8Kernel::vnni) return for_each_task(product, 0, product.rows, multiply_vnni);
  if (kernel == Int8Kernel::avx2) return for_each_task(product, 0, product.rows, multiply_avx2);
#endif
  for_each_task(product, 0, product.rows, multiply_portable);
}

}  // namespace tfm
