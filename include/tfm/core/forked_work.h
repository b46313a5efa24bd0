// Runs work in a process of its own, a fork of this one, so that a signal ends it at any point. For
// calls of libraries that run for minutes and cannot be interrupted. A thread would not do: it can
// only be abandoned, and would then use processors and memory until the program ends, and the
// destructors of static objects would run beside it. If the library aborts or memory runs out, only
// the fork ends. The work sees all memory of this process as it is at the start, without a copy.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tfm {

struct ForkedResult {
  std::string text;  ///< what the work returned
  /// why there is no text: the message of the exception that the work threw, or how its process
  /// ended
  std::optional<std::string> error{};
};

struct ForkedWork {
  /// Must use neither threads nor locks of this process: the fork only has the calling thread.
  std::function<std::string()> work;
  /// Gets each line that the work writes to stderr; nothing of it is shown.
  std::function<void(std::string_view)> on_line;
  /// Is called several times per second.
  std::function<void()> on_tick;
};

/// Runs the work and returns its result. Throws Interrupted ("interrupted during NAME") a moment
/// after a signal to stop (interrupt.h); the process of the work then no longer exists, which is
/// also so if this process is killed.
ForkedResult run_forked(const ForkedWork& work, const char* name);

}  // namespace tfm
