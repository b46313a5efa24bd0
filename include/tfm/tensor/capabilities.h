// Describes what this processor supports, for `tfm --version` and `tfm doctor`. This header does
// not include LibTorch. cuda_state.h describes GPUs.
#pragma once

#include <string>

namespace tfm {

/// The instruction sets of this processor that tfm can use.
struct InstructionSets {
  bool avx2 = false;
  bool avx512 = false;
  bool vnni = false;  ///< AVX-512 VNNI: sums of int8 products
  bool bf16 = false;  ///< AVX-512 BF16
  bool amx = false;   ///< AMX-TILE and AMX-INT8
};

/// Returns what the processor has, even if an environment variable disables it. The exception is
/// AMX, which only counts if it may be used.
InstructionSets instruction_sets();

/// Throws ConfigError if TFM_CPU_FEATURES is set and names no instruction set. The kernels take
/// such a value as no limit.
void require_known_instruction_set();

/// Returns the names of the sets: "AVX2, AVX-512, VNNI, bf16, AMX".
std::string describe(const InstructionSets& sets);

/// Returns text such as "fp32: AVX2; int8: AVX2; bf16: not supported". It names the kernels that
/// translation uses for each data type on this processor.
std::string describe_kernels();

}  // namespace tfm
