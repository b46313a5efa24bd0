#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "program.h"

int main(int argc, char** argv) {
  const int code = tfm::run_program(argc, argv);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return code;  // sanitizers report while the program's objects are destroyed
#else
  // Destroying LibTorch's tables of operators takes 50 ms, a quarter of the time of a short
  // command.
  std::cout.flush();
  std::fflush(nullptr);
  std::_Exit(code);
#endif
}
