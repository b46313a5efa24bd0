// Runs tfm in a pseudo-terminal, which shows results, messages and the echo of what is typed.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>

#include "program.h"

namespace tfm {

class Terminal {
 public:
  /// Starts `tfm ARGUMENTS` in a terminal of 80 columns. `settings` are shell assignments for its
  /// environment ("NO_COLOR=1").
  Terminal(const Workplace& place, const std::string& arguments, const std::string& settings = "") {
    const std::string program = (std::filesystem::path(TFM_BINARY_DIR) / "tfm").string();
    const std::string command =
        "cd '" + place.folder.path().string() +
        "' && unset TFM_MODEL XDG_STATE_HOME NO_COLOR COLUMNS && export HOME=\"$PWD\" TERM=xterm " +
        settings + " && exec '" + program + "' " + arguments;
    winsize size{};
    size.ws_row = 24;
    size.ws_col = 80;
    process_ = ::forkpty(&descriptor_, nullptr, nullptr, &size);
    if (process_ == 0) {
      ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      ::_exit(127);
    }
  }
  ~Terminal() {
    if (process_ > 0) ::kill(process_, SIGKILL), ::waitpid(process_, nullptr, 0);
    ::close(descriptor_);
  }

  /// Types `line`, which must end with a line feed, for a program that reads whole lines.
  void answer(const std::string& line) const {
    ASSERT_EQ(::write(descriptor_, line.data(), line.size()), std::ssize(line));
  }

  /// Waits until the program handles keys itself, then types `keys`. Before that, the terminal
  /// would handle Ctrl-D and other keys.
  void type(const std::string& keys) const {
    termios mode{};
    for (int patience = 60000; patience > 0; --patience) {
      if (::tcgetattr(descriptor_, &mode) == 0 && (mode.c_lflag & ICANON) == 0) break;
      ::usleep(1000);
    }
    ASSERT_EQ(::write(descriptor_, keys.data(), keys.size()), std::ssize(keys));
  }

  /// Returns the output up to and including the next `text`. If the program ends or prints nothing
  /// for a minute, returns everything.
  std::string show_until(const std::string& text) {
    while (pending_.find(text) == std::string::npos && read_some()) continue;
    const auto end = pending_.find(text);
    const std::string shown =
        pending_.substr(0, end == std::string::npos ? end : end + text.size());
    pending_.erase(0, shown.size());
    return shown;
  }

  /// Waits for the program to end and returns its exit code.
  int end() {
    while (read_some()) continue;
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  /// Reads more output. Returns false if there was none for a minute or the program has ended.
  bool read_some() {
    constexpr int patience = 60000;
    pollfd event{descriptor_, POLLIN, 0};
    if (::poll(&event, 1, patience) <= 0) return false;
    char buffer[4096];
    const auto count = ::read(descriptor_, buffer, sizeof buffer);
    if (count <= 0) return false;
    pending_.append(buffer, static_cast<std::size_t>(count));
    return true;
  }

  pid_t process_ = -1;
  int descriptor_ = -1;
  std::string pending_;  // output that show_until has not returned yet
};

}  // namespace tfm
