// The instruction sets of this processor, detected once. Which kernel multiplies depends only on
// them and on the shapes.
#pragma once

#include <cstdint>

namespace tfm {

/// The environment variable TFM_CPU_FEATURES disables what is newer than its value: default (128
/// bits), avx2, avx512, vnni or amx. It affects tfm's own kernels and the choice between them and
/// oneDNN's.
struct CpuFeatures {
  /// Floats per register: 16 with AVX-512, 8 with AVX2, otherwise 4. LibTorch's own kernels use the
  /// same width, so ATEN_CPU_CAPABILITY limits it too.
  int64_t simd_width = 4;
  /// AVX-512 VNNI, which sums int8 products in 32 bits.
  bool vnni = false;
  /// AMX, which multiplies tiles of int8 or bf16 numbers.
  bool amx = false;
  /// AVX-512 BF16, which multiplies in bf16. Every processor with AMX has it too.
  bool bf16 = false;
};

/// Returns the features of this processor.
const CpuFeatures& cpu_features();

}  // namespace tfm
