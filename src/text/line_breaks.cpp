#include "tfm/text/line_breaks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tfm/text/characters.h"
#include "tfm/text/utf8.h"

namespace tfm {
namespace {

/// Replaces each character for which is_replaced returns true by replacement(code point).
template <class IsReplaced, class Replacement>
std::string replace(std::string_view text, const IsReplaced& is_replaced,
                    const Replacement& replacement) {
  std::string line;
  line.reserve(text.size());
  for (std::size_t position = 0; position < text.size();) {
    const auto begin = position;
    const char32_t c = next_code_point(text, position);
    is_replaced(c) ? line += replacement(c) : line += text.substr(begin, position - begin);
  }
  return line;
}

}  // namespace

std::string replace_line_breaks(std::string_view text, char replacement) {
  return replace(
      text, [](char32_t c) { return is_line_end(c) || (is_control(c) && c != '\t'); },
      [replacement](char32_t) { return std::string(1, replacement); });
}

std::string replace_line_breaks_and_tabs(std::string_view text) {
  auto line = replace_line_breaks(text);
  std::ranges::replace(line, '\t', ' ');
  return line;
}

std::string escape_line_breaks(std::string_view json) {
  return replace(
      json, [](char32_t c) { return is_line_end(c) || is_control(c); },
      [](char32_t c) { return fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c)); });
}

}  // namespace tfm
