// The text of `tfm --version`.
#pragma once

#include <string>

namespace tfm {

/// Returns "tfm 0.1.0 (1f3a5c7e9+, 2026-11-25)", followed by one line each about LibTorch, the
/// processor's features, the kernels and the libraries that were built in.
std::string describe_version();

}  // namespace tfm
