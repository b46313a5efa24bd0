// The text of `tfm --version`.
#pragma once

#include <string>

namespace tfm {

/// Returns "tfm 0.1.0" and, in the lines below, LibTorch, the features of the processor, the
/// kernels and the optional parts that were built in.
std::string describe_version();

}  // namespace tfm
