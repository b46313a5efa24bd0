// The instruction sets of this processor, detected once for all kernels. Which int8 and bf16
// kernels oneDNN has for the processor is probed separately (onednn_linear.h).
#pragma once

#include <cstdint>

namespace tfm {

struct CpuFeatures {
  /// Floats per register: 16 with AVX-512, 8 with AVX2, otherwise 4. LibTorch's own kernels use the
  /// same width, so ATEN_CPU_CAPABILITY limits it too.
  int64_t simd_width = 4;
  /// AVX-512 VNNI, which sums int8 products exactly. ATEN_CPU_CAPABILITY does not disable it.
  bool vnni = false;
  /// AVX-512 BF16, which multiplies in bf16. Every processor with AMX has it too.
  bool bf16 = false;
};

/// Returns the features of this processor.
const CpuFeatures& cpu_features();

}  // namespace tfm
