// Reports whether this build supports distributed runs. This header does not include LibTorch.
#pragma once

#include <string>

namespace tfm {

/// Returns whether tfm was built with c10d. Without it, a group can have only one rank.
bool has_c10d();

/// Returns what the ranks communicate with, such as "Gloo and NCCL 2.30.7", and why anything is
/// missing, as in "Gloo; without NCCL: LibTorch was built for the CPU".
std::string describe_distributed();

}  // namespace tfm
