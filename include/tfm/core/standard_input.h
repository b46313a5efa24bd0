// Waits for standard input. A program can then answer each line as soon as it has arrived.
#pragma once

namespace tfm {

/// The path of standard input, which users write as "-".
inline constexpr const char* standard_input = "/dev/stdin";

/// Returns true if reading from std::cin would not block.
bool input_ready();

/// Blocks until std::cin has input or ends, or until an interrupt is requested. A blocking
/// std::getline would not return at an interrupt, because the read is retried after the signal.
void wait_for_input();

}  // namespace tfm
