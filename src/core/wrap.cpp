#include "tfm/core/wrap.h"

#include <algorithm>

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

bool is_continuation_byte(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return !is_continuation_byte(byte); }));
}

/// Returns where to break a line that is longer than `width` characters: the position of a space
/// after its indent. Returns npos if there is none.
std::size_t find_break(std::string_view line, std::size_t width) {
  constexpr auto none = std::string_view::npos;
  const auto indent = line.find_first_not_of(' ');
  if (indent == none) return none;
  std::size_t last = none, last_field = none, characters = indent;
  bool quoted = false;
  for (std::size_t i = indent; i < line.size() && (characters <= width || last == none); ++i) {
    if (line[i] == '`') quoted = !quoted;
    if (line[i] == ' ' && line[i - 1] != ' ' && !quoted) {
      last = i;
      if (line.substr(i).starts_with("  ")) last_field = i;
    }
    if (!is_continuation_byte(line[i])) ++characters;
  }
  // A field that ends in the first third is the label of a row; a break after it would waste most
  // of the line.
  return last_field != none && 3 * last_field > width ? last_field : last;
}

std::string wrap_message_line(std::string line, std::size_t width, std::size_t taken) {
  const auto spaces = std::min(line.find_first_not_of(' '), line.size());
  const std::string indent(spaces + 2, ' ');
  std::string lines;
  while (count_characters(line) + taken > width) {
    const auto end = find_break(line, width > taken ? width - taken : 0);
    if (end == line.npos) break;
    const auto rest = line.find_first_not_of(' ', end);
    lines.append(line, 0, end);
    if (rest == line.npos) return lines;
    lines += '\n';
    line = indent + line.substr(rest);
    taken = 0;
  }
  return lines + line;
}

}  // namespace

std::string wrap_message(std::string_view text, std::size_t width, std::size_t taken) {
  std::string lines;
  for (;;) {
    const auto end = text.find('\n');
    lines += wrap_message_line(std::string(text.substr(0, end)), width, taken);
    if (end == text.npos) return lines;
    lines += '\n';
    text.remove_prefix(end + 1);
    taken = 0;
  }
}

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
