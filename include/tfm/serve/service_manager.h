// Communicates with a service manager such as systemd: reports the state of the service
// (sd_notify(3)), and takes over a socket that already listens (sd_listen_fds(3)). Without a
// manager, nothing happens. The protocol is a datagram and environment variables, so no library is
// needed.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "tfm/core/environment.h"

namespace tfm {

/// Reads the environment of this process.
const char* environment_variable(const char* name);

/// Returns the descriptor of the socket that the manager listens at for this process ($LISTEN_PID,
/// $LISTEN_FDS), or nullopt if there is none. Throws ConfigError if there are several.
std::optional<int> inherited_socket(const Variables& variables);

class ServiceManager {
 public:
  /// Reports to the manager's socket ($NOTIFY_SOCKET), if there is one.
  explicit ServiceManager(const Variables& variables);

  /// Reports that requests are accepted, and a line of status.
  void ready(std::string_view status);
  /// Reports that the models are loaded again; ready() ends it.
  void reloading();
  void stopping();
  /// Reports that the service is alive, if half of the time in which the manager expects it
  /// ($WATCHDOG_USEC) has passed since the last report. `now` is the time of a steady clock.
  void alive(std::chrono::steady_clock::time_point now);

 private:
  void report(const std::string& state) const;

  std::string socket_;  // empty: no manager
  std::chrono::microseconds watchdog_{0};
  std::optional<std::chrono::steady_clock::time_point> last_alive_;
};

}  // namespace tfm
