#include "tfm/text/line_breaks.h"

#include <cstddef>

#include "characters.h"
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
    line += is_replaced(c) ? replacement(c) : text.substr(begin, position - begin);
  }
  return line;
}

}  // namespace

std::string replace_line_breaks(std::string_view text) {
  return replace(
      text, [](char32_t c) { return is_line_end(c) || (is_control(c) && c != '\t'); },
      [](char32_t) { return std::string_view(" "); });
}

std::string escape_line_breaks(std::string_view json) {
  return replace(json, is_line_end, [](char32_t c) -> std::string_view {
    return c == 0x85 ? "\\u0085" : c == 0x2028 ? "\\u2028" : "\\u2029";
  });
}

}  // namespace tfm
