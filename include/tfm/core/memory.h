// How much memory there is, and how much of it this process took.
#pragma once

namespace tfm {

/// Bytes that this process could take on top of what it has before the machine swaps or the limit
/// of its container is reached; 0 where the system does not say.
double available_memory();

/// The most bytes that this process had resident, since the last reset_peak_memory.
double peak_memory();

/// Has peak_memory begin anew from what is resident now, where the system can do that (Linux).
void reset_peak_memory();

}  // namespace tfm
