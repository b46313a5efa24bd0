// Reports whether this build supports distributed runs. This header does not include LibTorch.
#pragma once

namespace tfm {

/// Returns whether tfm was built with c10d. Without it, a group can have only one rank.
bool has_c10d();

}  // namespace tfm
