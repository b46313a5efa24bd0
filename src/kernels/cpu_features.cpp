#include "kernels/cpu_features.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace tfm {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

#if defined(__x86_64__)
/// Returns the number of floats in the widest registers that the processor supports.
int64_t supported_width() {
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq");
  return avx512 ? 16 : avx2 ? 8 : 4;
}

/// Returns true if bits 24 (AMX-TILE) and 25 (AMX-INT8) of EDX in CPUID leaf 7 are set. Clang's
/// __builtin_cpu_supports does not know AMX.
bool supports_amx() {
  constexpr unsigned tile_and_int8 = (1U << 24) | (1U << 25);
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 &&
         (edx & tile_and_int8) == tile_and_int8;
}

/// Asks the kernel to let this process use tiles, which Linux requires before their first use
/// (Documentation/arch/x86/xstate.rst). Returns whether it does.
bool request_tiles() {
  constexpr long request_permission = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr long tile_data = 18;               // XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
}

/// Returns the largest number of floats per register that ATEN_CPU_CAPABILITY allows. The variable
/// also limits LibTorch's own kernels.
int64_t allowed_width() {
  const auto capability = environment("ATEN_CPU_CAPABILITY");
  if (capability == "avx2") return 8;
  return capability == "default" ? 4 : 16;
}

/// Removes the features that TFM_CPU_FEATURES disables (cpu_features.h). Other values of the
/// variable disable nothing.
CpuFeatures limit(CpuFeatures features) {
  const auto level = cpu_feature_level();
  if (level == "default") return {};
  if (level == "avx2") return {.simd_width = std::min<int64_t>(features.simd_width, 8)};
  if (level == "avx512") return {.simd_width = features.simd_width};
  if (level == "vnni") features.amx = features.bf16 = false;
  return features;
}

CpuFeatures detect() {
  const int64_t width = std::min(supported_width(), allowed_width());
  const bool avx512 = width == 16;
  auto features = limit({.simd_width = width,
                         .vnni = avx512 && __builtin_cpu_supports("avx512vnni") != 0,
                         .amx = avx512 && supports_amx(),
                         .intel = __builtin_cpu_is("intel") != 0,
                         .bf16 = __builtin_cpu_supports("avx512bf16") != 0});
  features.amx = features.amx && request_tiles();
  return features;
}
#else
CpuFeatures detect() { return {}; }
#endif

}  // namespace

std::string_view cpu_feature_level() { return environment("TFM_CPU_FEATURES"); }

const CpuFeatures& cpu_features() {
  static const CpuFeatures features = detect();
  return features;
}

}  // namespace tfm
