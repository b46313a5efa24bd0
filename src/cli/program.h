// The whole program as one function, which main() calls. Tests call it in a forked process, which
// is faster than starting the program because LibTorch is already loaded.
#pragma once

namespace tfm {

/// Runs the command line and returns the exit code. Logs the message of every exception and throws
/// nothing.
int run_program(int argc, char** argv) noexcept;

}  // namespace tfm
