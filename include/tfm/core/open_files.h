// The limit of open files of this process. A corpus of many shards keeps many files open.
#pragma once

namespace tfm {

/// Raises the limit if this descriptor is in its upper half, so that other files can still be
/// opened. Raises it at most to the hard limit of the system (ulimit -Hn).
void keep_descriptors_free(int descriptor);

}  // namespace tfm
