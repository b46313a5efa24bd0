#include <fmt/format.h>

#include <cstddef>

#include "tfm/metrics/bleu.h"
#include "unicode.h"

// The rules are defined on code points but also work on bytes. Every character in them is ASCII,
// which is never part of a longer UTF-8 sequence, and a rule for "anything but a digit" inserts its
// space next to the ASCII character.
namespace tfm {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_not_digit(char c) { return !is_digit(c); }
bool is_stop(char c) { return c == '.' || c == ','; }
bool is_hyphen(char c) { return c == '-'; }

// ASCII punctuation, except for the apostrophe, which stays in its word, and the period, comma and
// hyphen, which depend on their neighbours.
bool is_symbol(char c) {
  return std::string_view("!\"#$%&()*+/:;<=>?@[\\]^_`{|}~").find(c) != std::string_view::npos;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::string pad_symbols(std::string_view text) {
  std::string result;
  result.reserve(2 * text.size());
  for (const char c : text) {
    if (is_symbol(c)) {
      result.append({' ', c, ' '});
    } else {
      result.push_back(c);
    }
  }
  return result;
}

using Predicate = bool (*)(char);

struct PairRule {
  Predicate first;
  Predicate second;
  std::string_view before, between, after;
};

// A pair consumes both characters, as a regular expression would: in "..5" the second period is not
// also the first of a pair.
std::string pad_pairs(std::string_view text, const PairRule& rule) {
  std::string result;
  result.reserve(2 * text.size());
  std::size_t i = 0;
  while (i < text.size()) {
    if (i + 1 < text.size() && rule.first(text[i]) && rule.second(text[i + 1])) {
      result.append(rule.before)
          .append(1, text[i])
          .append(rule.between)
          .append(1, text[i + 1])
          .append(rule.after);
      i += 2;
    } else {
      result.push_back(text[i++]);
    }
  }
  return result;
}

std::string join(const std::vector<std::string_view>& words) {
  std::string result;
  for (const std::string_view word : words) {
    if (!result.empty()) result.push_back(' ');
    result.append(word);
  }
  return result;
}

}  // namespace

std::string tokenize_13a(std::string_view line) {
  // The blanks at both ends give a first or last period a neighbour that is not a digit.
  std::string text = fmt::format(" {} ", line);
  replace_all(text, "<skipped>", "");
  replace_all(text, "-\n", "");  // a word broken across lines
  replace_all(text, "\n", " ");
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");  // before &lt; and &gt;: "&amp;lt;" becomes "<"
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
  text = pad_symbols(text);
  text = pad_pairs(
      text, {.first = is_not_digit, .second = is_stop, .before = "", .between = " ", .after = " "});
  text = pad_pairs(
      text, {.first = is_stop, .second = is_not_digit, .before = " ", .between = " ", .after = ""});
  text = pad_pairs(
      text, {.first = is_digit, .second = is_hyphen, .before = "", .between = " ", .after = " "});
  return join(split_at_unicode_space(text));
}

}  // namespace tfm
