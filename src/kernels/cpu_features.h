// What this processor has, found out once for all kernels. What LibTorch's libraries make of the
// processor is asked of themselves (onednn_linear.h).
#pragma once

#include <cstdint>

namespace tfm {

struct CpuFeatures {
  /// Floats per register: 16 with AVX-512, 8 with AVX2, else 4; as many as LibTorch's own kernels
  /// use, so ATEN_CPU_CAPABILITY narrows it.
  int64_t simd_width = 4;
  /// AVX-512 VNNI: exact sums of int8 products. ATEN_CPU_CAPABILITY does not narrow it.
  bool vnni = false;
  /// AVX-512 BF16: products of bf16. Every processor with AMX has it too.
  bool bf16 = false;
};

/// Those of this processor.
const CpuFeatures& cpu_features();

}  // namespace tfm
