// The limits of open files of this process: the present one, and the hard limit of the system
// (ulimit -Hn), to which the present one can be raised. A corpus of many shards and a server with
// many connections keep many files open.
#pragma once

#include <cstdint>

namespace tfm {

/// Returns the hard limit.
std::int64_t hard_limit_of_open_files();

/// Raises the limit to the hard limit.
void raise_limit_of_open_files();

/// Doubles the limit if this descriptor is in its upper half, so that other files can still be
/// opened. Raises it at most to the hard limit.
void keep_descriptors_free(int descriptor);

}  // namespace tfm
