#include "tfm/core/wrap.h"

namespace tfm {
namespace {

/// Wraps a text without line feeds and appends the result to `lines`.
void append_wrapped(std::string_view text, std::size_t width, std::string_view indent,
                    std::string& lines) {
  while (indent.size() + text.size() > width) {
    const std::size_t available = width > indent.size() ? width - indent.size() : 0;
    auto space = text.rfind(' ', available);
    if (space == std::string_view::npos) space = text.find(' ');
    if (space == std::string_view::npos) break;
    lines.append(indent).append(text.substr(0, space)).append("\n");
    text.remove_prefix(space + 1);
  }
  lines.append(text.empty() ? "" : indent).append(text).append("\n");
}

}  // namespace

std::string wrap_text(std::string_view text, std::size_t width, std::string_view indent) {
  std::string lines;
  for (;;) {
    const auto end = text.find('\n');
    append_wrapped(text.substr(0, end), width, indent, lines);
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

}  // namespace tfm
