#include "markdown_lines.h"

#include <algorithm>

#include "tfm/text/words.h"

namespace tfm {
namespace {

constexpr std::string_view blanks = " \t";

std::size_t text_after(std::string_view line, std::size_t at) {
  return std::min(line.find_first_not_of(blanks, at), line.size());
}

/// Returns the column of a byte of the line. A tab goes to the next multiple of four.
std::size_t column_of(std::string_view line, std::size_t at) {
  std::size_t column = 0;
  for (const char c : line.substr(0, at)) column = c == '\t' ? column / 4 * 4 + 4 : column + 1;
  return column;
}

std::size_t list_mark_length(std::string_view rest) {
  const auto digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  std::size_t length = 0;
  if (digits > 0 && digits < 10 && digits < rest.size() &&
      (rest[digits] == '.' || rest[digits] == ')')) {
    length = digits + 1;
  } else if (!rest.empty() && std::string_view("-*+").find(rest.front()) != rest.npos) {
    length = 1;
  }
  if (length == 0 || (length < rest.size() && blanks.find(rest[length]) == blanks.npos)) return 0;
  const auto text = text_after(rest, length);
  const auto box = rest.substr(text, 4);
  const bool has_box = box == "[ ] " || box == "[x] " || box == "[X] ";
  return text + (has_box ? 4 : 0);
}

/// Returns the length of "[^1]: ", or 0.
std::size_t footnote_mark_length(std::string_view rest) {
  if (!rest.starts_with("[^")) return 0;
  const auto end = rest.find_first_of("[] \t", 2);
  if (end == rest.npos || end == 2 || !rest.substr(end).starts_with("]:")) return 0;
  return text_after(rest, end + 2);
}

/// Returns the length of " [!NOTE]", which follows the mark of a quote, or 0. Other programs have
/// more names than GitHub, and fold with "[!NOTE]-".
std::size_t alert_mark_length(std::string_view rest) {
  const auto begin = text_after(rest, 0);
  if (!rest.substr(begin).starts_with("[!")) return 0;
  auto end = rest.find_first_of("[]( \t", begin + 2);
  if (end == rest.npos || end == begin + 2 || rest[end] != ']') return 0;
  ++end;
  if (end < rest.size() && (rest[end] == '+' || rest[end] == '-')) ++end;
  const auto text = text_after(rest, end);
  return text > end || end == rest.size() ? text : 0;
}

/// Returns the first offset from which the rest of the line may be a rule. Asking each mark of a
/// long line whether a rule begins there would take quadratic time.
std::size_t first_rule(std::string_view line) {
  line = line.substr(0, line.find_last_not_of(whitespace) + 1);
  return line.empty() ? 0 : line.find_last_not_of(std::string{line.back(), ' '}) + 1;
}

bool is_title(std::string_view text) {
  const auto kind = text.empty() ? text.npos : std::string_view("\"'(").find(text.front());
  return kind != text.npos && text.find("\"')"[kind], 1) == text.size() - 1;
}

/// Returns the offset of the bracket that closes the label at the begin of the text, or npos.
std::size_t label_end(std::string_view text) {
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (text[at] == '[')
      return text.npos;
    else if (text[at] == ']')
      return at;
  }
  return text.npos;
}

}  // namespace

MarkdownPrefix markdown_prefix(std::string_view line) {
  MarkdownPrefix found;
  std::size_t quote_end = 0;
  std::size_t footnote_end = 0;
  const auto rule = first_rule(line);
  for (;;) {
    const auto text = text_after(line, found.length);
    const auto rest = line.substr(text);
    if (rest.starts_with('>')) {
      ++found.quotes;
      quote_end = text + 1;
      const auto alert = alert_mark_length(line.substr(quote_end));
      found.is_alert = alert > 0;
      found.length = quote_end += alert;
    } else if (const auto footnote = footnote_mark_length(rest); footnote > 0) {
      found.has_mark = true;
      found.length = footnote_end = text + footnote;
    } else if (const auto mark =
                   text >= rule && is_markdown_rule(rest) ? 0 : list_mark_length(rest);
               mark > 0) {
      found.has_mark = true;
      found.length = text + mark;
    } else {
      found.length = text;
      break;
    }
  }
  // The first space after the mark of a quote belongs to the mark.
  const bool has_space =
      quote_end > 0 && quote_end < line.size() && blanks.find(line[quote_end]) != blanks.npos;
  const auto margin = column_of(line, quote_end) + (has_space ? 1 : 0);
  found.indentation = footnote_end > quote_end ? 4 : column_of(line, found.length) - margin;
  return found;
}

bool is_markdown_rule(std::string_view text) {
  text = trim(text);
  if (text.empty() || std::string_view("-_*=").find(text.front()) == text.npos) return false;
  const bool is_uniform = text.find_first_not_of(std::string{text.front(), ' '}) == text.npos;
  const auto count = std::ranges::count(text, text.front());
  return is_uniform && (count >= 3 || (text.size() == static_cast<std::size_t>(count) &&
                                       (text.front() == '=' || count == 2)));
}

std::string_view markdown_fence(std::string_view content) {
  for (const char mark : {'`', '~'}) {
    const auto length = std::min(content.find_first_not_of(mark), content.size());
    const bool has_mark_later = mark == '`' && content.find('`', length) != content.npos;
    if (length >= 3 && !has_mark_later) return content.substr(0, length);
  }
  return {};
}

MarkdownDefinition markdown_definition(std::string_view first, std::string_view second,
                                       std::string_view third) {
  if (!first.starts_with('[') || first.starts_with("[^")) return {};
  const auto end = label_end(first);
  if (end == first.npos || end == 1 || !first.substr(end).starts_with("]:")) return {};
  MarkdownDefinition definition{first.substr(1, end - 1), 1};
  auto rest = trim(first.substr(end + 2));
  auto next = second;
  if (rest.empty()) {
    definition.lines = 2;
    rest = second;
    next = third;
  }
  if (rest.empty()) return {};
  const auto target = rest.front() == '<' ? rest.find('>') : rest.find_first_of(blanks);
  rest = target == rest.npos ? "" : trim(rest.substr(target + 1));
  if (rest.empty() || is_title(rest)) {
    if (rest.empty() && is_title(next)) ++definition.lines;
    return definition;
  }
  ++definition.lines;
  const bool is_title_of_two_lines =
      !next.empty() && is_title(std::string(rest).append(" ").append(next));
  return is_title_of_two_lines ? definition : MarkdownDefinition{};
}

}  // namespace tfm
