#include "yaml_spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "tfm/core/spelling.h"
#include "tfm/text/utf8.h"

namespace tfm {
namespace {

constexpr std::string_view decimals = "0123456789";

bool has_only(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == text.npos;
}

/// Removes the characters from the begin of the text, at most `most` of them, and returns how many
/// they were.
std::size_t skip(std::string_view& text, std::string_view characters,
                 std::size_t most = std::string_view::npos) {
  const auto size = std::min({text.find_first_not_of(characters), text.size(), most});
  text.remove_prefix(size);
  return size;
}

/// Returns true for 0x1f, 0o17 and 0b1. The text is in lower case and has no sign.
bool is_integer_with_base(std::string_view text) {
  const auto digits = text.substr(std::min<std::size_t>(text.size(), 2));
  return (text.starts_with("0x") && has_only(digits, "0123456789abcdef_")) ||
         (text.starts_with("0o") && has_only(digits, "01234567_")) ||
         (text.starts_with("0b") && has_only(digits, "01_"));
}

/// Returns true for 12, 1_000.5, .5, 1e-3, 190:20:30 (a number with the base 60) and 10:30.5.
bool is_decimal(std::string_view text) {
  constexpr std::string_view grouped = "0123456789_";
  const auto first = text.substr(0, text.find_first_of(".e"));
  bool has_digits = first.find_first_of(decimals) == 0;
  skip(text, grouped);
  while (has_digits && text.starts_with(':')) {
    skip(text, ":", 1);
    if (skip(text, decimals, 2) == 0) return false;
  }
  if (skip(text, ".", 1) == 1) has_digits |= skip(text, grouped) > 0;
  if (has_digits && skip(text, "e", 1) == 1) {
    skip(text, "+-", 1);
    return has_only(text, decimals);
  }
  return has_digits && text.empty();
}

/// Returns true for 2001-12-14, 2001-12-14t21:59:43.10-05:00 and 2001-12-14 21:59:43 z.
bool is_timestamp(std::string_view text) {
  if (skip(text, decimals) != 4) return false;
  for (int part = 0; part < 2; ++part) {
    if (skip(text, "-", 1) == 0 || skip(text, decimals, 2) == 0) return false;
  }
  if (text.empty()) return true;
  if (skip(text, "t", 1) == 0 && skip(text, " \t") == 0) return false;
  for (int part = 0; part < 3; ++part) {
    if ((part > 0 && skip(text, ":", 1) == 0) || skip(text, decimals, 2) == 0) return false;
  }
  if (skip(text, ".", 1) == 1) skip(text, decimals);
  skip(text, " \t");
  if (text.empty() || text == "z") return true;
  if (skip(text, "+-", 1) == 0 || skip(text, decimals, 2) == 0) return false;
  return text.empty() || (skip(text, ":", 1) == 1 && skip(text, decimals) == 2 && text.empty());
}

/// Returns true for a character at which a line ends in YAML 1.1 or 1.2.
bool has_line_break(std::string_view value) {
  constexpr std::array<std::string_view, 5> breaks{"\n", "\r", "\u0085", "\u2028", "\u2029"};
  return std::ranges::any_of(breaks,
                             [&](std::string_view text) { return value.find(text) != value.npos; });
}

void append_double_quoted(std::string& text, std::string_view character, char32_t code_point) {
  if (character == "\"" || character == "\\") {
    (text += '\\') += character;
  } else if (character == "\n" || character == "\t" || character == "\r") {
    text += character == "\n" ? "\\n" : character == "\t" ? "\\t" : "\\r";
  } else if (code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0)) {
    text += fmt::format("\\x{:02x}", static_cast<unsigned>(code_point));
  } else if (has_line_break(character)) {
    text += fmt::format("\\u{:04x}", static_cast<unsigned>(code_point));
  } else {
    text += character;
  }
}

}  // namespace

bool is_plain_constant(std::string_view value) {
  static const std::vector<std::string_view> words{"~",  "null", "true", "false", "yes", "no",
                                                   "on", "off",  "y",    "n",     ".nan"};
  const auto lower = to_lower(value);
  if (std::ranges::find(words, lower) != words.end() || is_timestamp(lower)) return true;
  std::string_view number = lower;
  skip(number, "+-", 1);
  return number == ".inf" || is_integer_with_base(number) || is_decimal(number);
}

std::string spell_double_quoted(std::string_view value) {
  std::string text = "\"";
  for (std::size_t at = 0; at < value.size();) {
    const auto begin = at;
    const auto code_point = next_code_point(value, at);
    append_double_quoted(text, value.substr(begin, at - begin), code_point);
  }
  return text + "\"";
}

std::string spell_single_quoted(std::string_view value) {
  if (has_line_break(value)) return spell_double_quoted(value);
  std::string text = "'";
  for (const char c : value) text.append(c == '\'' ? 2 : 1, c);
  return text + "'";
}

std::string spell_plain(std::string_view value, bool in_flow) {
  const bool begins_safely =
      !value.empty() &&
      std::string_view("-?:,[]{}#&*!|>'\"%@` \t").find(value.front()) == std::string_view::npos;
  const bool is_safe = begins_safely && value.back() != ':' && value.back() != ' ' &&
                       value.find(": ") == value.npos && value.find(" #") == value.npos &&
                       value.find('\t') == value.npos && !has_line_break(value) &&
                       !(in_flow && value.find_first_of(",[]{}") != value.npos) &&
                       !is_plain_constant(value) && value != "---" && value != "...";
  return is_safe ? std::string(value) : spell_double_quoted(value);
}

}  // namespace tfm
