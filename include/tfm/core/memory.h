// The memory that is available, and the peak that this process used.
#pragma once

namespace tfm {

/// Bytes that this process can still allocate before the machine swaps or the container reaches its
/// limit. Returns 0 if the system does not report it.
double available_memory();

/// The peak resident memory of this process in bytes, since the last reset_peak_memory().
double peak_memory();

/// Restarts the measurement of peak_memory() at the current resident memory, if the system supports
/// it (Linux).
void reset_peak_memory();

}  // namespace tfm
