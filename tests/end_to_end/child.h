// Runs the program as a process that a test can watch, kill and measure.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace tfm {

class Child {
 public:
  /// Starts `tfm` in the folder, with the words of `arguments`. Its stdout and stderr go to the
  /// file `log` in the folder.
  Child(const std::filesystem::path& folder, const std::string& arguments) {
    std::vector<std::string> words{(std::filesystem::path(TFM_BINARY_DIR) / "tfm").string()};
    std::istringstream stream(arguments);
    for (std::string word; stream >> word;) words.push_back(word);
    std::vector<char*> pointers;
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ != 0) return;
    if (::chdir(folder.c_str()) != 0) ::_exit(127);
    const int log = ::open("log", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ::dup2(log, STDERR_FILENO);
    ::dup2(log, STDOUT_FILENO);
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
  }
  ~Child() {
    if (!ended_) end_by(SIGKILL);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Returns true while the process runs.
  bool runs() {
    if (!ended_ && ::wait4(pid_, &status_, WNOHANG, &usage_) == pid_) ended_ = true;
    return !ended_;
  }
  void send(int signal) const { ::kill(pid_, signal); }
  /// Sends the signal unless the process has ended. Then waits, and returns the result of wait().
  int end_by(int signal) {
    if (runs()) ::kill(pid_, signal);
    return wait();
  }
  /// Waits for the end of the process. Returns its exit code, or 128 plus the number of the signal
  /// that ended it.
  int wait() {
    if (!ended_) ::wait4(pid_, &status_, 0, &usage_);
    ended_ = true;
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  }
  /// Returns the peak resident memory of the process in MiB. The process must have ended.
  long peak_megabytes() const { return usage_.ru_maxrss / 1024; }

 private:
  pid_t pid_ = -1;
  bool ended_ = false;
  int status_ = 0;
  rusage usage_{};
};

}  // namespace tfm
