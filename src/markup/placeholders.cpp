#include <algorithm>
#include <array>

#include "markup_syntax.h"
#include "tfm/markup/addresses.h"

namespace tfm {
namespace {

constexpr std::string_view digits = "0123456789";
constexpr std::string_view lower_case = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view name_characters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
/// The maximum length of a placeholder up to its closing brace or parenthesis, in bytes.
constexpr std::size_t longest = 128;
/// The maximum length of an argument of ICU that has texts.
constexpr std::size_t longest_choice = 4096;

struct Brackets {
  std::string_view open;
  std::string_view close;
};
/// The spellings in plain text and in HTML.
constexpr std::array<Brackets, 2> angle_brackets{{{"<", ">"}, {"&lt;", "&gt;"}}};

bool is_one_of(std::string_view line, std::size_t at, std::string_view set) {
  return at < line.size() && set.find(line[at]) != set.npos;
}

/// Returns the position of the first character, from `at` on, that is not in the set.
std::size_t skip(std::string_view line, std::size_t at, std::string_view set) {
  while (is_one_of(line, at, set)) ++at;
  return at;
}

/// Returns true if a letter, a digit or an underscore of a word is at `at`.
bool is_in_word(std::string_view line, std::size_t at) {
  if (at >= line.size()) return false;
  return is_one_of(line, at, "_") || begins_with_word_letter(line.substr(at));
}

/// Returns the end of the name of a variable that begins at `at`, or `at` if none does.
std::size_t name_end(std::string_view line, std::size_t at) {
  const auto end = skip(line, at, name_characters);
  return is_one_of(line, at, digits) || is_in_word(line, end) ? at : end;
}

/// Returns true for text that can be between braces: a name, a number, a path or a format. Such
/// text has spaces only after a comma or next to a brace or '|'.
bool is_braced_name(std::string_view inside) {
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (is_one_of(inside, i, name_characters) || is_one_of(inside, i, ".,:;!?#@$%&|/()[]'\"=<>+*-"))
      continue;
    const bool beside = i == 0 || i + 1 == inside.size() || inside[i - 1] == ',' ||
                        inside[i - 1] == '|' || inside[i + 1] == '|';
    if (inside[i] != ' ' || !beside) return false;
  }
  return true;
}

/// Returns true for the code of a template, {{ anything }} or {% anything %}, without tags.
bool is_template_code(std::string_view inside, std::size_t depth) {
  const bool is_statement =
      inside.size() > 2 && inside.starts_with('%') && inside.ends_with('%') && depth == 1;
  if (depth < 2 && !is_statement) return false;
  for (auto at = inside.find('<'); at != inside.npos; at = inside.find('<', at + 1)) {
    if (is_one_of(inside, at + 1, letters) || is_one_of(inside, at + 1, "/!?")) return false;
  }
  return true;
}

/// Returns the length of an argument of ICU that chooses one of several texts, with these texts, or
/// 0: {n, plural, one {# cup} other {# cups}}.
std::size_t choice(std::string_view line, std::size_t at) {
  const auto rest = line.substr(at, longest_choice);
  const auto name = skip(rest, skip(rest, 1, name_characters), " ");
  if (name == 1 || !is_one_of(rest, name, ",")) return 0;
  const auto kind = skip(rest, name + 1, " ");
  const auto kind_end = skip(rest, kind, letters);
  constexpr std::array<std::string_view, 3> kinds{"plural", "select", "selectordinal"};
  if (std::ranges::find(kinds, rest.substr(kind, kind_end - kind)) == kinds.end()) return 0;
  std::size_t depth = 1;
  for (auto end = rest.find_first_of("{}", kind_end); end != rest.npos;
       end = rest.find_first_of("{}", end + 1)) {
    depth = rest[end] == '{' ? depth + 1 : depth - 1;
    if (depth == 0) return end + 1;
  }
  return 0;
}

/// Returns the length of {name}, {{name}} or {% code %}, or 0.
std::size_t braces(std::string_view line, std::size_t at) {
  const std::size_t depth = line.substr(at).starts_with("{{") ? 2 : 1;
  const auto end = line.substr(0, at + longest).find_first_of("{}", at + depth);
  if (end == line.npos) return 0;
  if (line[end] == '{') return choice(line, at);
  if (!line.substr(end).starts_with(std::string_view("}}").substr(0, depth))) return 0;
  const auto inside = line.substr(at + depth, end - at - depth);
  return is_braced_name(inside) || is_template_code(inside, depth) ? end + depth - at : 0;
}

/// Returns the length of {name} after one character, as in #{name}, with this character, or 0.
std::size_t marked_braces(std::string_view line, std::size_t at) {
  const auto length = is_one_of(line, at + 1, "{") ? braces(line, at + 1) : 0;
  return length > 0 ? length + 1 : 0;
}

/// Returns the length of ${name}, $name, $name$, or of $1 .. $9, as in regular expression
/// replacements, or 0. Prices such as $1.50, US$ and $100 do not count.
std::size_t dollar(std::string_view line, std::size_t at) {
  if (const auto length = marked_braces(line, at); length > 0) return length;
  if (const auto end = name_end(line, at + 1); end > at + 1) {
    if (at > 0 && is_one_of(line, at - 1, name_characters)) return 0;
    const bool is_closed = is_one_of(line, end, "$") && !is_one_of(line, end + 1, name_characters);
    return end + (is_closed ? 1 : 0) - at;
  }
  if (!is_one_of(line, at + 1, "123456789") || is_one_of(line, at + 2, digits)) return 0;
  return is_one_of(line, at + 2, ".,") && is_one_of(line, at + 3, digits) ? 0 : 2;
}

/// Returns the end of the name in %(name)s or %<name>s, after its bracket, or `at` if there is
/// none.
std::size_t bracketed_name_end(std::string_view line, std::size_t at) {
  constexpr Brackets round{"(", ")"};
  for (const auto& [open, close] : {round, angle_brackets[0], angle_brackets[1]}) {
    if (!line.substr(at).starts_with(open)) continue;
    const auto begin = at + open.size();
    const auto end = line.substr(0, at + longest).find(close, begin);
    const bool is_name = end != line.npos && is_braced_name(line.substr(begin, end - begin));
    return is_name ? end + close.size() : at;
  }
  return at;
}

/// Returns the position after the flags, width, precision and type of a format of C that follow
/// `at`, or `at` if they are malformed. In Hungarian, "50 %-a" is a percentage.
std::size_t format_end(std::string_view line, std::size_t at) {
  const auto flags = skip(line, at, "-+#0,");
  auto next = is_one_of(line, flags, "*") ? flags + 1 : skip(line, flags, digits);
  if (next == flags && line.substr(at, flags - at).find('-') != line.npos) return at;
  if (is_one_of(line, next, "."))
    next = is_one_of(line, next + 1, "*") ? next + 2 : skip(line, next + 1, digits);
  next = skip(line, next, "hlLzjtq");
  return is_one_of(line, next, "diouxXeEfFgGaAcspbrn@") ? next + 1 : at;
}

bool follows_digit(std::string_view line, std::size_t at) {
  return at > 0 && is_one_of(line, at - 1, digits);
}

/// Returns true if a number precedes, after at most one space. A '%' and letters that follow are
/// then a percentage, as in "50%ig" and "50 %der".
bool follows_number(std::string_view line, std::size_t at) {
  const auto before = line.substr(0, at);
  for (const std::string_view space : {" ", "\u00A0", "\u202F"}) {
    if (before.ends_with(space) && follows_digit(line, at - space.size())) return true;
  }
  return follows_digit(line, at) || before.ends_with('}');
}

/// Returns the end of the letters in lower case that follow a format and are kept with it, as in
/// %dpx and %(day)dth. Other letters are a word: %sDatei.
std::size_t suffix_end(std::string_view line, std::size_t at) {
  return is_one_of(line, at, lower_case) ? skip(line, at, name_characters) : at;
}

/// Returns the length of a placeholder with a name or number: %(name)s, %<name>s, %1$d, or 0.
std::size_t named_format(std::string_view line, std::size_t at) {
  const auto begin = at + 1;
  const auto number = skip(line, begin, digits);
  const bool is_numbered = number > begin && is_one_of(line, number, "$");
  const auto name = is_numbered ? number + 1 : bracketed_name_end(line, begin);
  const auto end = format_end(line, name);
  if (name == begin || end == name) return 0;
  // A tag may follow a percentage: 50%<b>so</b>.
  const bool may_be_tag = is_one_of(line, begin, "<&");
  if (may_be_tag && (follows_number(line, at) || is_in_word(line, end))) return 0;
  return suffix_end(line, end) - at;
}

/// Returns the length of %s, %5.2f, %1$d, %@, %(name)s, %<name>s, %{name}, %name, %name% or %%, or
/// 0. Percentages such as "50 % der" and "100%ig" do not count.
std::size_t percent(std::string_view line, std::size_t at) {
  const auto begin = at + 1;
  if (is_one_of(line, begin, "%")) return 2;
  if (is_one_of(line, begin, "{")) return marked_braces(line, at);
  if (const auto length = named_format(line, at); length > 0) return length;
  const auto name = name_end(line, begin);
  const bool is_closed = is_one_of(line, name, "%") && !is_one_of(line, name + 1, "%({<");
  if (name > begin + 1 && is_closed && !is_in_word(line, name + 1) && !follows_digit(line, at))
    return name + 1 - at;
  if (const auto format = format_end(line, begin); format > begin) {
    const bool may_be_text = is_in_word(line, format)
                                 ? follows_number(line, at)
                                 : format == begin + 1 && follows_digit(line, at);
    return may_be_text ? 0 : suffix_end(line, format) - at;
  }
  return name > begin && !follows_number(line, at) ? name - at : 0;
}

/// Returns the length of :name, or 0. Only names in lower case count, of at least two characters,
/// if no word precedes: not 12:30, a: b, Foo::bar, :-) and :D.
std::size_t colon(std::string_view line, std::size_t at) {
  if (at > 0 && !is_one_of(line, at - 1, " \t([{\"'>;,/|-")) return 0;
  const auto end = name_end(line, at + 1);
  const bool is_name = end > at + 2 && is_one_of(line, at + 1, lower_case) &&
                       skip(line, at + 1, "abcdefghijklmnopqrstuvwxyz0123456789_") == end;
  if (!is_name) return 0;
  return end + (is_one_of(line, end, ":") ? 1 : 0) - at;
}

/// Returns the length of <me@example.org>, or 0.
std::size_t address_in_brackets(std::string_view line, std::size_t at) {
  for (const auto& [open, close] : angle_brackets) {
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
    case '#':
      return marked_braces(line, at);
    case ':':
      return colon(line, at);
    case '<':
    case '&':
      return address_in_brackets(line, at);
    default:
      return address_length(line, at);
  }
}

}  // namespace tfm
