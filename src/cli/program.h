// The whole program: main() calls it. Tests call it in a forked process, which is faster than
// starting the program, because LibTorch is loaded already.
#pragma once

namespace tfm {

/// Runs the command line and returns the exit code. Every exception ends as a message in the log:
/// nothing is thrown.
int run_program(int argc, char** argv) noexcept;

}  // namespace tfm
