// Runs the program in a forked process of the test: the same code as `tfm ARGUMENTS`, but without
// the third of a second that loading LibTorch takes. The test's own process must not use LibTorch,
// because LibTorch's threads do not survive a fork.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "cli/program.h"
#include "temporary_folder.h"

namespace tfm {

struct ForkedOutcome {
  /// the exit code, or 128 plus the number of the signal that ended the process
  int code = 0;
  std::string out;
  std::string err;
};

/// Runs the program in `folder`. Its standard streams are the files stdin, stdout and stderr there.
/// Arguments are separated by spaces. SIGALRM ends the process after two minutes. Except in builds
/// with sanitizers, the address space of the process is limited to 8 GiB.
class ForkedProgram {
 public:
  explicit ForkedProgram(const TemporaryFolder& folder) : folder_(folder) {}

  ForkedOutcome run(const std::string& arguments, const std::string& input = "") const {
    folder_.write("stdin", input);
    std::cout.flush();  // otherwise the child would print buffered text again
    std::fflush(nullptr);
    const pid_t process = ::fork();
    if (process == 0) become(arguments);
    int status = 0;
    ::waitpid(process, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            folder_.read("stdout"), folder_.read("stderr")};
  }

 private:
  [[noreturn]] void become(const std::string& arguments) const {
    std::istringstream stream("tfm " + arguments);
    std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    redirect(STDIN_FILENO, "stdin", O_RDONLY);
    redirect(STDOUT_FILENO, "stdout", O_WRONLY | O_CREAT | O_TRUNC);
    redirect(STDERR_FILENO, "stderr", O_WRONLY | O_CREAT | O_TRUNC);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // sanitizers map terabytes
    const rlimit memory{8ULL << 30U, 8ULL << 30U};
    ::setrlimit(RLIMIT_AS, &memory);
#endif
    const rlimit core{0, 0};
    ::setrlimit(RLIMIT_CORE, &core);
    ::alarm(120);
    if (::chdir(folder_.path().c_str()) != 0) ::_exit(127);
    const int code = run_program(static_cast<int>(pointers.size()), pointers.data());
    std::cout.flush();
    std::fflush(nullptr);
    ::_exit(code);
  }

  void redirect(int descriptor, const char* name, int flags) const {
    const int file = ::open(folder_.path(name).c_str(), flags, 0644);
    if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(127);
  }

  const TemporaryFolder& folder_;
};

}  // namespace tfm
