// The text of `tfm --version`.
#pragma once

#include <string>

namespace tfm {

/// "tfm 0.1.0", and below it LibTorch, the processor's features, the kernels and what was built in.
std::string describe_version();

}  // namespace tfm
