// The version of tfm that a program is linked with.
#pragma once

namespace tfm {

/// Returns the version, such as "0.1.0".
const char* version();

}  // namespace tfm
