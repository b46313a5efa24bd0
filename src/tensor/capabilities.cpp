#include "tfm/tensor/capabilities.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "kernels/cpu_features.h"
#include "kernels/int8_panel.h"
#include "onednn_linear.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

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

std::string int8_kernel_name() {
  switch (best_int8_kernel()) {
    case Int8Kernel::amx:
      return "AMX";
    case Int8Kernel::vnni:
      return "VNNI";
    case Int8Kernel::avx2:
      return "AVX2";
    case Int8Kernel::portable:
      break;
  }
  return "portable";
}

}  // namespace

InstructionSets instruction_sets() {
#if defined(__x86_64__)
  return {.avx2 = __builtin_cpu_supports("avx2") != 0,
          .avx512 = __builtin_cpu_supports("avx512f") != 0,
          .vnni = __builtin_cpu_supports("avx512vnni") != 0,
          .bf16 = __builtin_cpu_supports("avx512bf16") != 0,
          .amx = cpu_features().amx};
#else
  return {};
#endif
}

void require_known_instruction_set() {
  const auto level = cpu_feature_level();
  if (level.empty() || std::ranges::find(cpu_feature_levels, level) != cpu_feature_levels.end())
    return;
  throw ConfigError("TFM_CPU_FEATURES", fmt::format("'{}' is not one of its values", level),
                    fmt::format("Set it to {}, or unset it.", fmt::join(cpu_feature_levels, ", ")));
}

std::string describe(const InstructionSets& sets) {
  std::string text;
  const auto add = [&](bool is_there, const char* name) {
    if (is_there) text += (text.empty() ? "" : ", ") + std::string(name);
  };
  add(sets.avx2, "AVX2");
  add(sets.avx512, "AVX-512");
  add(sets.vnni, "VNNI");
  add(sets.bf16, "bf16");
  add(sets.amx, "AMX");
  return text.empty() ? "none of AVX2, AVX-512, VNNI, bf16 and AMX" : text;
}

std::string describe_kernels() {
  return "fp32: " + simd_name() + "; int8: " + int8_kernel_name() +
         "; bf16: " + (onednn_supports_bf16() ? "oneDNN" : "not supported");
}

}  // namespace tfm
