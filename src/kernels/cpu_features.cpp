#include "kernels/cpu_features.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace tfm {
namespace {

#if defined(__x86_64__)
/// Returns the number of floats in the widest registers that the processor supports.
int64_t supported_width() {
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq");
  return avx512 ? 16 : avx2 ? 8 : 4;
}

/// Returns the largest number of floats per register that ATEN_CPU_CAPABILITY allows. The variable
/// also limits LibTorch's own kernels.
int64_t allowed_width() {
  const char* value = std::getenv("ATEN_CPU_CAPABILITY");
  const std::string_view capability = value != nullptr ? value : "";
  if (capability == "avx2") return 8;
  return capability == "default" ? 4 : 16;
}

CpuFeatures detect() {
  return {.simd_width = std::min(supported_width(), allowed_width()),
          .vnni = __builtin_cpu_supports("avx512vnni") != 0 &&
                  __builtin_cpu_supports("avx512bw") != 0 &&
                  __builtin_cpu_supports("avx512vl") != 0,
          .bf16 = __builtin_cpu_supports("avx512bf16") != 0};
}
#else
CpuFeatures detect() { return {}; }
#endif

}  // namespace

const CpuFeatures& cpu_features() {
  static const CpuFeatures features = detect();
  return features;
}

}  // namespace tfm
