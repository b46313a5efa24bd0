#include "markdown_extensions.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "markdown_lines.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

/// The farthest, in bytes, that the end of a formula or shortcode is searched.
constexpr std::size_t farthest_extension_end = 2048;
/// The most lines of a formula in a block.
constexpr std::size_t most_formula_lines = 200;

bool is_digit_at(std::string_view text, std::size_t at) {
  return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
}

/// Returns the length of the formula in single or double dollars at the begin of `rest`, or 0.
std::size_t formula_length(std::string_view rest) {
  const std::string_view mark = rest.starts_with("$$") ? "$$" : "$";
  const bool is_single = mark.size() == 1;
  const auto begin = mark.size();
  if (begin >= rest.size() || (is_single && whitespace.find(rest[begin]) != whitespace.npos))
    return 0;
  for (auto at = begin; at < rest.size(); ++at) {
    if (rest[at] == '\\') {
      ++at;
    } else if (rest[at] == '`') {
      return 0;  // code
    } else if (rest.substr(at).starts_with(mark)) {
      const auto end = at + mark.size();
      const bool follows_space = whitespace.find(rest[at - 1]) != whitespace.npos;
      if (is_single && (follows_space || is_digit_at(rest, end))) return 0;
      return at > begin ? end : 0;
    }
  }
  return 0;
}

std::size_t shortcode_length(std::string_view rest) {
  for (const auto& [open, close] :
       {std::pair<std::string_view, std::string_view>{"{{<", ">}}"}, {"{{%", "%}}"}}) {
    const auto end = rest.starts_with(open) ? rest.find(close, open.size()) : rest.npos;
    if (end != rest.npos) return end + close.size();
  }
  return 0;
}

bool is_shortcode_line(std::string_view content) {
  while (const auto length = shortcode_length(content)) content = trim(content.substr(length));
  return content.empty();
}

}  // namespace

std::size_t markdown_extension_length(std::string_view text, std::size_t at) {
  const auto rest = text.substr(at, farthest_extension_end);
  if (rest.front() == '{') return shortcode_length(rest);
  // A dollar that follows a word or another dollar is a sign of a currency: 5$, US$.
  const bool follows_word = at > 0 && (text[at - 1] == '$' ||
                                       std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0);
  return rest.front() == '$' && !follows_word ? formula_length(rest) : 0;
}

std::size_t markdown_extension_lines(std::string_view text, std::span<const TextLine> lines) {
  const auto content = [&](std::size_t i) { return trim(line_text(text, lines[i])); };
  const auto first = content(0);
  if (first.starts_with(":::")) return 1;
  if (first.starts_with("{{") && is_shortcode_line(first)) return 1;
  if (!first.starts_with("$$") || first.find("$$", 2) != first.npos) return 0;
  const auto end = std::min(lines.size(), most_formula_lines);
  for (std::size_t i = 1; i < end && !content(i).empty(); ++i) {
    if (content(i).ends_with("$$")) return i + 1;
  }
  return 0;
}

}  // namespace tfm
