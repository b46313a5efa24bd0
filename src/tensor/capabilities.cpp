#include "tfm/tensor/capabilities.h"

#include <c10/core/impl/DeviceGuardImplInterface.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "kernels/cpu_features.h"
#include "onednn_linear.h"
#include "tfm/tensor/runtime.h"

namespace tfm {
namespace {

#if defined(__x86_64__)
/// Returns true if bit 24 of EDX in CPUID leaf 7, AMX-TILE, is set. Clang's __builtin_cpu_supports
/// does not know AMX.
bool has_amx() {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (edx & (1U << 24)) != 0;
}
#endif

std::string simd_name() {
  switch (cpu_features().simd_width) {
    case 16:
      return "AVX-512";
    case 8:
      return "AVX2";
    default:
      return "128 bits";
  }
}

std::string int8_kernels() {
  const bool has_onednn = onednn_int8_support().has_kernel;
  if (!cpu_features().vnni) return has_onednn ? "oneDNN" : "oneDNN (slow)";
  return has_onednn ? "VNNI (small matrices), oneDNN" : "VNNI";
}

}  // namespace

std::string describe_cuda() {
  if (!c10::impl::hasDeviceGuardImpl(c10::DeviceType::CUDA)) return "without CUDA";
  const int devices = gpu_count();
  return "with CUDA, " + std::to_string(devices) + (devices == 1 ? " device" : " devices");
}

std::string describe_processor() {
  std::string text;
#if defined(__x86_64__)
  const auto add = [&](bool is_there, const char* name) {
    if (is_there) text += (text.empty() ? "" : ", ") + std::string(name);
  };
  add(__builtin_cpu_supports("avx2") != 0, "AVX2");
  add(__builtin_cpu_supports("avx512f") != 0, "AVX-512");
  add(__builtin_cpu_supports("avx512vnni") != 0, "VNNI");
  add(__builtin_cpu_supports("avx512bf16") != 0, "bf16");
  add(has_amx(), "AMX");
#endif
  return text.empty() ? "none of AVX2, AVX-512, VNNI, bf16 and AMX" : text;
}

std::string describe_kernels() {
  return "fp32: " + simd_name() + "; int8: " + int8_kernels() +
         "; bf16: " + (onednn_supports_bf16() ? "oneDNN" : "not supported");
}

}  // namespace tfm
