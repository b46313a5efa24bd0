#include "tfm/serve/service_manager.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <ctime>

#include "tfm/core/error.h"
#include "tfm/core/log.h"

namespace tfm {
namespace {

/// Inherited descriptors begin after stdin, stdout and stderr.
constexpr int first_inherited = 3;

/// Returns the time that systemd compares with its own, in microseconds.
std::int64_t monotonic_microseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1000;
}

}  // namespace

const char* environment_variable(const char* name) { return std::getenv(name); }

std::optional<int> inherited_socket(const Variables& variables) {
  const auto count = variable_text(variables, "LISTEN_FDS");
  // Variables for another process, such as the parent of this one, do not count.
  if (count.empty() || variable_text(variables, "LISTEN_PID") != std::to_string(::getpid()))
    return std::nullopt;
  if (count != "1")
    throw ConfigError("LISTEN_FDS", fmt::format("has {} sockets; tfm listens at one", count),
                      "Name one address (ListenStream=) in the socket unit.");
  return first_inherited;
}

ServiceManager::ServiceManager(const Variables& variables)
    : socket_(variable_text(variables, "NOTIFY_SOCKET")) {
  const auto for_process = variable_text(variables, "WATCHDOG_PID");
  if (!for_process.empty() && for_process != std::to_string(::getpid())) return;
  const auto time = variable_text(variables, "WATCHDOG_USEC");
  watchdog_ = std::chrono::microseconds(std::strtoll(time.c_str(), nullptr, 10));
}

void ServiceManager::ready(std::string_view status) {
  report(fmt::format("READY=1\nSTATUS={}", status));
}

void ServiceManager::reloading() {
  report(fmt::format("RELOADING=1\nMONOTONIC_USEC={}", monotonic_microseconds()));
}

void ServiceManager::stopping() { report("STOPPING=1"); }

void ServiceManager::alive(std::chrono::steady_clock::time_point now) {
  if (watchdog_.count() <= 0 || (last_alive_ && now - *last_alive_ < watchdog_ / 2)) return;
  last_alive_ = now;
  report("WATCHDOG=1");
}

void ServiceManager::report(const std::string& state) const {
  sockaddr_un address{};
  if (socket_.empty()) return;
  if (socket_.size() >= sizeof(address.sun_path)) {
    log_warn("NOTIFY_SOCKET has {} bytes, more than an address can have", socket_.size());
    return;
  }
  address.sun_family = AF_UNIX;
  socket_.copy(address.sun_path, socket_.size());
  if (socket_.front() == '@') address.sun_path[0] = '\0';  // an abstract address
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  const int descriptor = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the interface of sockets
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  const auto sent = ::sendto(descriptor, state.data(), state.size(), MSG_NOSIGNAL, generic, size);
  ::close(descriptor);
  if (sent < 0) log_debug("the report to the service manager failed: {}", state);
}

}  // namespace tfm
