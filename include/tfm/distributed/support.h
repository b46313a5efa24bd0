// What this build can do, in a plain header.
#pragma once

namespace tfm {

/// Returns true if tfm was built with c10d. Otherwise a process group has one rank only.
bool has_c10d();

}  // namespace tfm
