#include <algorithm>
#include <array>

#include "markup_syntax.h"
#include "tfm/markup/addresses.h"

namespace tfm {
namespace {

constexpr std::string_view digits = "0123456789";
constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
/// The maximum length of a placeholder up to its closing brace or parenthesis, in bytes.
constexpr std::size_t longest = 128;

bool is_one_of(std::string_view line, std::size_t at, std::string_view set) {
  return at < line.size() && set.find(line[at]) != set.npos;
}

/// Returns the position of the first character, from `at` on, that is not in the set.
std::size_t skip(std::string_view line, std::size_t at, std::string_view set) {
  while (is_one_of(line, at, set)) ++at;
  return at;
}

/// Returns true for text that can be between braces: a name, a number, a path or a format. Such
/// text has spaces only after a comma or next to a brace or '|'.
bool is_braced_name(std::string_view inside) {
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (is_one_of(inside, i, digits) || is_one_of(inside, i, letters) ||
        is_one_of(inside, i, "_.,:;!?#@$%&|/()[]'\"=<>+*-"))
      continue;
    const bool beside = i == 0 || i + 1 == inside.size() || inside[i - 1] == ',' ||
                        inside[i - 1] == '|' || inside[i + 1] == '|';
    if (inside[i] != ' ' || !beside) return false;
  }
  return true;
}

/// Returns the length of {name} or {{name}}, or 0.
std::size_t braces(std::string_view line, std::size_t at) {
  const auto depth = std::min<std::size_t>(
      line.find_first_not_of('{', at) == line.npos ? 0 : line.find_first_not_of('{', at) - at, 2);
  if (depth == 0) return 0;
  const auto end = line.substr(0, at + longest).find_first_of("{}", at + depth);
  if (end == line.npos || line.substr(end, depth) != std::string_view("}}").substr(0, depth))
    return 0;
  return is_braced_name(line.substr(at + depth, end - at - depth)) ? end + depth - at : 0;
}

/// Returns the length of ${name} or of $1 .. $9, as in regular expression replacements, or 0.
/// Prices such as $1.50 and $100 do not count.
std::size_t dollar(std::string_view line, std::size_t at) {
  if (is_one_of(line, at + 1, "{")) {
    const auto length = braces(line, at + 1);
    return length > 0 ? length + 1 : 0;
  }
  if (!is_one_of(line, at + 1, "123456789") || is_one_of(line, at + 2, digits)) return 0;
  return is_one_of(line, at + 2, ".,") && is_one_of(line, at + 3, digits) ? 0 : 2;
}

/// Returns the length of %s, %5.2f, %1$d, %@ or %(name)s, or 0. Percentages such as "50 % der" and
/// "100%ig" do not count.
std::size_t percent(std::string_view line, std::size_t at) {
  std::size_t next = at + 1;
  if (is_one_of(line, next, "(")) {
    const auto end = line.substr(0, at + longest).find(')', next);
    if (end == line.npos || !is_braced_name(line.substr(next + 1, end - next - 1))) return 0;
    next = end + 1;
  } else if (const auto number = skip(line, next, digits);
             number > next && is_one_of(line, number, "$")) {
    next = number + 1;
  }
  next = skip(line, next, "-+#0");
  next = skip(line, next, digits);
  if (is_one_of(line, next, ".")) next = skip(line, next + 1, digits);
  next = skip(line, next, "hlLzjt");
  if (!is_one_of(line, next, "diouxXeEfFgGaAcsp@")) return 0;
  ++next;
  return is_one_of(line, next, letters) || is_one_of(line, next, digits) ? 0 : next - at;
}

/// Returns the length of <me@example.org>, or 0.
std::size_t address_in_brackets(std::string_view line, std::size_t at) {
  struct Brackets {
    std::string_view open;
    std::string_view close;
  };
  constexpr std::array<Brackets, 2> spellings{{{"<", ">"}, {"&lt;", "&gt;"}}};
  for (const auto& [open, close] : spellings) {
    const auto begin = at + open.size();
    if (!line.substr(at).starts_with(open) || begin == line.size()) continue;
    const auto end = begin + address_length(line, begin);
    if (end > begin && line.substr(end).starts_with(close)) return end + close.size() - at;
  }
  return 0;
}

}  // namespace

std::size_t placeholder_length(std::string_view line, std::size_t at) {
  switch (line[at]) {
    case '{':
      return braces(line, at);
    case '$':
      return dollar(line, at);
    case '%':
      return percent(line, at);
    case '<':
    case '&':
      return address_in_brackets(line, at);
    default:
      return address_length(line, at);
  }
}

}  // namespace tfm
