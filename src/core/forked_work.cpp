#include "tfm/core/forked_work.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>

#include "tfm/core/atomic_file.h"
#include "tfm/core/interrupt.h"

namespace tfm {
namespace {

// The first byte that the fork sends says what follows.
constexpr char returned = 'r';
constexpr char thrown = 't';

class Pipe {
 public:
  Pipe() { is_open_ = ::pipe2(ends_.data(), O_CLOEXEC) == 0; }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool is_open() const { return is_open_; }
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_write_end() { close_end(1); }

  /// Appends what has arrived. Returns false at the end of the data.
  bool read_some(std::string& to) const {
    std::array<char, 1 << 16> buffer;
    const auto count = ::read(read_end(), buffer.data(), buffer.size());
    if (count < 0) return errno == EINTR || errno == EAGAIN;
    to.append(buffer.data(), static_cast<std::size_t>(count));
    return count > 0;
  }

 private:
  void close_end(std::size_t end) {
    if (ends_[end] >= 0) ::close(ends_[end]);
    ends_[end] = -1;
  }

  std::array<int, 2> ends_{-1, -1};
  bool is_open_ = false;
};

/// A process that ends with this object.
class Fork {
 public:
  explicit Fork(pid_t process) : process_(process) {}
  ~Fork() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    wait();
  }
  Fork(const Fork&) = delete;
  Fork& operator=(const Fork&) = delete;

  /// Waits for the end of the process and returns its status.
  int wait() {
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
    process_ = -1;
    return status;
  }

 private:
  pid_t process_;
};

/// Runs the work in the fork. Signals to stop often go to the whole process group: the fork leaves
/// them to its parent, which then kills it. It ends without destructors of static objects, which
/// belong to the parent, even if the work calls exit().
[[noreturn]] void run_in_fork(const ForkedWork& work, pid_t parent, int messages, int result) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // the parent ended before the call
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_IGN);
  std::atexit([] { ::_exit(EXIT_FAILURE); });  // the last function that is added runs first
  ::dup2(messages, STDERR_FILENO);
  std::string text;
  try {
    text = returned + work.work();
  } catch (const std::exception& error) {
    text = std::string(1, thrown) + error.what();
  }
  ::_exit(write_all(result, text) ? 0 : 1);
}

/// What the fork has sent.
struct Sent {
  std::string result;
  std::deque<std::string> last_lines;  // of its messages
};

/// Passes whole lines on and keeps the rest.
void take_lines(std::string& text, const std::function<void(std::string_view)>& on_line,
                std::deque<std::string>& last) {
  constexpr std::size_t most = 2;
  std::size_t begin = 0;
  for (auto end = text.find('\n'); end != text.npos; end = text.find('\n', begin)) {
    const auto line = text.substr(begin, end - begin);
    on_line(line);
    last.push_back(line);
    if (last.size() > most) last.pop_front();
    begin = end + 1;
  }
  text.erase(0, begin);
}

/// Reads both pipes until the fork closes them.
Sent watch(const ForkedWork& work, Pipe& messages, Pipe& result, const char* name) {
  constexpr int tick = 100;  // milliseconds
  std::string lines;
  Sent sent;
  std::array<pollfd, 2> events{pollfd{messages.read_end(), POLLIN, 0},
                               pollfd{result.read_end(), POLLIN, 0}};
  while (events[0].fd >= 0 || events[1].fd >= 0) {
    const int ready = ::poll(events.data(), events.size(), tick);
    throw_if_interrupted(name);
    if (ready > 0) {
      if (events[0].revents != 0 && !messages.read_some(lines)) events[0].fd = -1;
      if (events[1].revents != 0 && !result.read_some(sent.result)) events[1].fd = -1;
      take_lines(lines, work.on_line, sent.last_lines);
    }
    work.on_tick();
  }
  return sent;
}

/// Says how the process of the work ended, and its last messages, which may say why.
std::string describe_end(int status, const std::deque<std::string>& messages) {
  auto text = WIFSIGNALED(status)
                  ? fmt::format("its process was ended by signal {} ({}){}", WTERMSIG(status),
                                ::strsignal(WTERMSIG(status)),
                                WTERMSIG(status) == SIGKILL ? ", perhaps for want of memory" : "")
                  : fmt::format("its process ended with code {}", WEXITSTATUS(status));
  if (!messages.empty()) text += fmt::format(": {}", fmt::join(messages, " "));
  return text;
}

}  // namespace

ForkedResult run_forked(const ForkedWork& work, const char* name) {
  Pipe messages;
  Pipe result;
  const pid_t parent = ::getpid();
  const pid_t process = messages.is_open() && result.is_open() ? ::fork() : -1;
  if (process < 0) return {"", fmt::format("a process can't be started: {}", std::strerror(errno))};
  if (process == 0) run_in_fork(work, parent, messages.write_end(), result.write_end());
  Fork fork(process);
  messages.close_write_end();
  result.close_write_end();
  auto sent = watch(work, messages, result, name);
  const int status = fork.wait();
  auto& text = sent.result;
  if (WIFSIGNALED(status) || text.empty()) return {"", describe_end(status, sent.last_lines)};
  const bool has_returned = text.front() == returned;
  text.erase(0, 1);
  if (has_returned) return {std::move(text)};
  return {"", std::move(text)};
}

}  // namespace tfm
