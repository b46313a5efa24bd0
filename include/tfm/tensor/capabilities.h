// Describes what this processor supports, for `tfm --version`. This header does not include
// LibTorch. cuda_state.h describes GPUs.
#pragma once

#include <string>

namespace tfm {

/// Returns the instruction sets of this processor that tfm can use, such as "AVX2, AVX-512, VNNI,
/// bf16, AMX".
std::string describe_processor();

/// Returns text such as "fp32: AVX2; int8: AVX2; bf16: not supported". It names the kernels that
/// translation uses for each data type on this processor.
std::string describe_kernels();

}  // namespace tfm
