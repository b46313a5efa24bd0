#include "tfm/text/line_breaks.h"

#include <cstddef>

#include "characters.h"
#include "tfm/text/utf8.h"

namespace tfm {
namespace {

/// in_its_place(code point): what stands for a line's end.
template <class InItsPlace>
std::string with_line_ends_replaced(std::string_view text, const InItsPlace& in_its_place) {
  std::string line;
  line.reserve(text.size());
  for (std::size_t position = 0; position < text.size();) {
    const auto begin = position;
    const char32_t c = next_code_point(text, position);
    line += is_line_end(c) ? in_its_place(c) : text.substr(begin, position - begin);
  }
  return line;
}

}  // namespace

std::string replace_line_breaks(std::string_view text) {
  return with_line_ends_replaced(text, [](char32_t) { return std::string_view(" "); });
}

std::string escape_line_breaks(std::string_view json) {
  return with_line_ends_replaced(json, [](char32_t c) -> std::string_view {
    return c == 0x85 ? "\\u0085" : c == 0x2028 ? "\\u2028" : "\\u2029";
  });
}

}  // namespace tfm
