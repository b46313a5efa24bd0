#include <fmt/format.h>

#include <cstddef>

#include "pad_pairs.h"
#include "tokenizers.h"
#include "unicode.h"

// The rules are defined on code points but also work on bytes. Every character in them is ASCII,
// which is never part of a longer UTF-8 sequence. A rule for "anything but a digit" inserts its
// blanks next to the ASCII character of the pair, so it cannot split a UTF-8 sequence.
namespace tfm {
namespace {

bool is_ascii_digit(const char& c) { return c >= '0' && c <= '9'; }
bool is_not_ascii_digit(const char& c) { return !is_ascii_digit(c); }
bool is_stop(const char& c) { return c == '.' || c == ','; }
bool is_hyphen(const char& c) { return c == '-'; }

// Returns true for ASCII punctuation. The exceptions are the apostrophe, which remains part of its
// word, and the period, comma and hyphen, whose treatment depends on their neighbours.
bool is_ascii_symbol(char c) {
  return std::string_view("!\"#$%&()*+/:;<=>?@[\\]^_`{|}~").find(c) != std::string_view::npos;
}

}  // namespace

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

void decode_basic_entities(std::string& text) {
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");  // before &lt; and &gt;, so that "&amp;lt;" becomes "<"
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
}

std::string pad_symbols(std::string_view text) {
  std::string result;
  result.reserve(2 * text.size());
  for (const char c : text) {
    if (is_ascii_symbol(c)) {
      result.append({' ', c, ' '});
    } else {
      result.push_back(c);
    }
  }
  return result;
}

std::string pad_stops_and_hyphens(std::string text) {
  const auto pad = [&](const PairRule<char>& rule) { text = pad_pairs(text, rule, ' '); };
  pad({.first = is_not_ascii_digit,
       .second = is_stop,
       .before = false,
       .between = true,
       .after = true});
  pad({.first = is_stop,
       .second = is_not_ascii_digit,
       .before = true,
       .between = true,
       .after = false});
  pad({.first = is_ascii_digit,
       .second = is_hyphen,
       .before = false,
       .between = true,
       .after = true});
  return text;
}

std::string separate_punctuation(std::string_view text) {
  return join_words(pad_stops_and_hyphens(pad_symbols(text)));
}

std::string tokenize_13a(std::string_view line) {
  // With the blanks at both ends, a first or last period has a neighbour that is not a digit.
  std::string text = fmt::format(" {} ", line);
  replace_all(text, "<skipped>", "");
  replace_all(text, "-\n", "");  // joins a word that is broken across lines
  replace_all(text, "\n", " ");
  decode_basic_entities(text);
  return separate_punctuation(text);
}

}  // namespace tfm
