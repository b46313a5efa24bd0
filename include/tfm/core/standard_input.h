// Waits for standard input, for a program that answers each line as soon as it has arrived.
#pragma once

namespace tfm {

/// The path of standard input, for which a user writes "-".
inline constexpr const char* standard_input = "/dev/stdin";

/// Returns true if reading from std::cin would not block.
bool input_ready();

/// Blocks until std::cin has input or ends, or until an interrupt: a blocking std::getline would
/// retry its read after the signal.
void wait_for_input();

}  // namespace tfm
