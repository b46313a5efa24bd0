// Measures the available memory and the peak memory of this process.
#pragma once

namespace tfm {

/// Returns the bytes that this process can still allocate before the machine swaps or the container
/// reaches its limit. Returns 0 if the system does not report them.
double available_memory();

/// Returns the bytes of memory of the machine, or of the container if its limit is lower. Returns 0
/// if the system does not report them.
double total_memory();

/// Returns the peak resident memory of this process in bytes, since the last reset_peak_memory().
double peak_memory();

/// Restarts the measurement of peak_memory() at the current resident memory, if the system supports
/// it (Linux).
void reset_peak_memory();

}  // namespace tfm
