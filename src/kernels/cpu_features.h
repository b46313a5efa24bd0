// Detects the instruction sets of this processor once. Kernels are chosen by these instruction sets
// and by the shapes of the matrices, never by timings.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tfm {

/// The values of the environment variable TFM_CPU_FEATURES, oldest instruction set first. default
/// is 128 bits.
inline constexpr std::array<std::string_view, 5> cpu_feature_levels = {"default", "avx2", "avx512",
                                                                       "vnni", "amx"};

/// The instruction sets that tfm uses. The environment variable TFM_CPU_FEATURES disables those
/// that are newer than its value, one of cpu_feature_levels. AVX-512 BF16 counts as newer than
/// vnni. The variable affects tfm's own kernels, the choice between them and LibTorch's, and the
/// automatic choice of bf16 (autocast.h).
struct CpuFeatures {
  /// Floats per register: 16 with AVX-512, 8 with AVX2, otherwise 4. The environment variable
  /// ATEN_CPU_CAPABILITY, which limits LibTorch's own kernels, limits this width too.
  int64_t simd_width = 4;
  /// AVX-512 VNNI, which sums int8 products in 32 bits.
  bool vnni = false;
  /// AMX-TILE and AMX-INT8, which multiply tiles of int8 numbers, and Linux's permission to use
  /// them.
  bool amx = false;
  /// A processor of Intel. LibTorch's fp32 GEMM (MKL) has its fastest kernels only for these.
  bool intel = false;
  /// AVX-512 BF16, which multiplies bf16 numbers. Every processor with AMX has AVX-512 BF16 too.
  bool bf16 = false;
};

/// Returns the value of TFM_CPU_FEATURES, or an empty text.
std::string_view cpu_feature_level();

/// Returns the features of this processor, without those that an environment variable disables.
const CpuFeatures& cpu_features();

}  // namespace tfm
