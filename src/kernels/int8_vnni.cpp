#include "kernels/int8_vnni.h"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tfm {
namespace {

#if defined(__x86_64__)

#define TFM_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))

/// Writes up to 16 columns of one row of y, starting with column `first`.
TFM_VNNI inline void write_row(const VnniTask& task, int64_t row, int64_t first, __m512i sum) {
  const auto count = std::clamp<int64_t>(task.columns - first, 0, 16);
  const auto mask = static_cast<__mmask16>((1U << count) - 1U);
  const __m512i exact = _mm512_sub_epi32(sum, _mm512_loadu_si512(task.offsets + first));
  const __m512 scale = _mm512_mul_ps(_mm512_maskz_loadu_ps(mask, task.scales + first),
                                     _mm512_set1_ps(task.x_scales[row]));
  const __m512 shift =
      task.bias != nullptr ? _mm512_maskz_loadu_ps(mask, task.bias + first) : _mm512_setzero_ps();
  _mm512_mask_storeu_ps(task.y + row * task.y_row + first, mask,
                        _mm512_fmadd_ps(_mm512_maskz_cvtepi32_ps(mask, exact), scale, shift));
}

}  // namespace

/// The VNNI instruction multiplies unsigned by signed integers, so 128 has been added to x.
/// Subtracting the offsets, 128 times the row sums of W, from the sums undoes this addition.
TFM_VNNI void multiply_panel(const VnniTask& task) {
  __m512i sums[vnni_tile_rows][2] = {};
  for (int64_t k = 0; k < task.groups; ++k) {
    const __m512i left = _mm512_loadu_si512(task.panel + k * vnni_panel_width * vnni_group);
    const __m512i right = _mm512_loadu_si512(task.panel + k * vnni_panel_width * vnni_group + 64);
#pragma GCC unroll 8
    for (int64_t row = 0; row < vnni_tile_rows; ++row) {
      int32_t four = 0;
      std::memcpy(&four, task.x + (row * task.groups + k) * vnni_group, sizeof(four));
      const __m512i numbers = _mm512_set1_epi32(four);
      sums[row][0] = _mm512_dpbusd_epi32(sums[row][0], numbers, left);
      sums[row][1] = _mm512_dpbusd_epi32(sums[row][1], numbers, right);
    }
  }
  for (int64_t row = 0; row < task.rows; ++row) {
    write_row(task, row, 0, sums[row][0]);
    write_row(task, row, 16, sums[row][1]);
  }
}

#else

}  // namespace

void multiply_panel(const VnniTask&) {}  // never called, because CpuFeatures::vnni is false

#endif

}  // namespace tfm
