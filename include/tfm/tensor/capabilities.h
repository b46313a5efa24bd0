// What LibTorch and this processor offer, in words. A plain header, for `tfm --version`.
#pragma once

#include <string>

namespace tfm {

/// "with CUDA, 1 device" or "without CUDA": how LibTorch was built, and what it sees.
std::string describe_cuda();

/// The instruction sets of this processor that matter to tfm: "AVX2, AVX-512, VNNI, bf16, AMX".
std::string describe_processor();

/// The kernels that translation on this processor uses, per data type.
std::string describe_kernels();

}  // namespace tfm
