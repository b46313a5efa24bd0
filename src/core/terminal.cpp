#include "tfm/core/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace tfm {

std::optional<TerminalSize> terminal_size(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return TerminalSize{.rows = size.ws_row, .columns = size.ws_col};
}

std::optional<std::size_t> terminal_columns(int descriptor) {
  const auto size = terminal_size(descriptor);
  return size ? std::optional(size->columns) : std::nullopt;
}

bool understands_control_sequences(int descriptor) {
  const char* kind = std::getenv("TERM");
  return ::isatty(descriptor) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

bool allows_color(int descriptor) {
  const char* refused = std::getenv("NO_COLOR");
  return (refused == nullptr || *refused == '\0') && understands_control_sequences(descriptor);
}

}  // namespace tfm
