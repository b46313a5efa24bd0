#include "tfm/text/sentences.h"

#include <cstddef>

#include "abbreviations.h"
#include "tfm/text/characters.h"
#include "tfm/text/line_breaks.h"
#include "tfm/text/utf8.h"

namespace tfm {
namespace {

/// Iterates over the code points of a text.
class Cursor {
 public:
  Cursor(std::string_view text, std::size_t position) : text_(text), position_(position) {}

  std::size_t position() const { return position_; }
  bool at_end() const { return position_ >= text_.size(); }
  /// Returns the next code point without consuming it, or 0 at the end.
  char32_t peek() const {
    std::size_t next = position_;
    return at_end() ? 0 : next_code_point(text_, next);
  }
  void step() { next_code_point(text_, position_); }
  template <class Kind>
  void skip(const Kind& kind) {
    while (!at_end() && kind(peek())) step();
  }

 private:
  std::string_view text_;
  std::size_t position_;
};

bool is_any_terminator(char32_t c) { return is_terminator(c) || is_cjk_terminator(c); }

/// Returns the position past closing quotes and brackets. Some quotes open in one language and
/// close in another, so the last quote counts as an opening quote if a letter follows it.
Cursor after_quotes(std::string_view text, std::size_t position) {
  Cursor cursor(text, position);
  Cursor last = cursor;
  while (is_closer(cursor.peek())) {
    last = cursor;
    cursor.step();
  }
  return is_opener(last.peek()) && is_letter(cursor.peek()) ? last : cursor;
}

/// Returns the position past the quotes and brackets that close after the terminators. A » or ›
/// between spaces, as in French, counts as a closing quote.
std::size_t after_closers(std::string_view text, std::size_t position) {
  const Cursor cursor = after_quotes(text, position);
  Cursor guillemet = cursor;
  guillemet.skip(is_space);
  const char32_t c = guillemet.peek();
  if (guillemet.position() == cursor.position() || (c != U'\u00BB' && c != U'\u203A'))
    return cursor.position();
  guillemet.step();
  return guillemet.at_end() || is_space(guillemet.peek()) ? guillemet.position()
                                                          : cursor.position();
}

/// Returns true if the text at `position`, which follows white space, can begin a sentence.
bool begins_sentence(std::string_view text, std::size_t position) {
  Cursor cursor(text, position);
  cursor.skip([](char32_t c) { return is_opener(c) || is_space(c); });
  const char32_t c = cursor.peek();
  // Code points from U+1F000 on are emoji.
  return cursor.at_end() || is_digit(c) || (is_letter(c) && !is_lower(c)) || c >= 0x1F000;
}

/// A possible end of a sentence, as byte offsets in the text.
struct End {
  std::size_t word;        // start of the word before the terminators
  std::size_t terminator;  // start of the first terminator
  std::size_t closer;      // end of the last terminator
  std::size_t end;         // end of the closing quotes and brackets
};

bool has_cjk_terminator(std::string_view terminators) {
  Cursor cursor(terminators, 0);
  cursor.skip([](char32_t c) { return !is_cjk_terminator(c); });
  return !cursor.at_end();
}

/// Returns true if a sentence ends after the terminators although no white space follows: after
/// Chinese or Japanese terminators, or before Chinese or Japanese text unless the terminator is a
/// single full stop. If a letter follows a closed quote, the quote is part of a sentence that
/// continues. `closed` is true if a quote or bracket closes after the terminators.
bool ends_without_space(std::string_view terminators, bool closed, char32_t next) {
  if (has_cjk_terminator(terminators)) return !closed || !is_letter(next) || is_opener(next);
  return is_cjk(next) && terminators != "." && !closed;
}

bool ends_sentence(std::string_view text, const End& at) {
  const auto terminators = text.substr(at.terminator, at.closer - at.terminator);
  Cursor next(text, at.end);
  if (next.at_end()) return true;
  if (!is_space(next.peek()))
    return ends_without_space(terminators, at.end > at.closer, next.peek());
  next.skip(is_space);
  if (has_cjk_terminator(terminators)) return true;
  if (!begins_sentence(text, next.position())) return false;
  return terminators != "." ||
         !is_abbreviation(text.substr(at.word, at.terminator - at.word), is_digit(next.peek()));
}

std::string_view trim(std::string_view text) {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool any = false;
  for (Cursor cursor(text, 0); !cursor.at_end();) {
    const bool space = is_space(cursor.peek());
    if (!space && !any) begin = cursor.position();
    any |= !space;
    cursor.step();
    if (!space) end = cursor.position();
  }
  return text.substr(begin, end - begin);
}

/// Returns the position past the sentence that begins at `begin`, including its closing quotes.
std::size_t sentence_end(std::string_view text, std::size_t begin) {
  std::size_t word = begin;
  for (Cursor cursor(text, begin); !cursor.at_end();) {
    const char32_t c = cursor.peek();
    const auto position = cursor.position();
    if (is_any_terminator(c)) {
      cursor.skip(is_any_terminator);
      const End at{word, position, cursor.position(), after_closers(text, cursor.position())};
      if (ends_sentence(text, at)) return at.end;
      continue;
    }
    cursor.step();
    if (is_line_end(c)) return cursor.position();
    // An opener within a word is an apostrophe or a hyphen, which does not start a new word.
    if (is_space(c) || (is_opener(c) && word == position)) word = cursor.position();
  }
  return text.size();
}

}  // namespace

bool is_blank(std::string_view text) {
  Cursor cursor(text, 0);
  cursor.skip(is_space);
  return cursor.at_end();
}

std::vector<std::string_view> split_sentences(std::string_view text) {
  std::vector<std::string_view> sentences;
  for (std::size_t begin = 0; begin < text.size();) {
    Cursor end(text, begin);
    end.skip(is_space);
    const auto first = end.position();
    const auto next = sentence_end(text, first);
    const auto sentence = trim(text.substr(first, next - first));
    if (!sentence.empty()) sentences.push_back(sentence);
    begin = next;
  }
  return sentences;
}

std::string sentence_separator(std::string_view before, std::string_view gap,
                               std::string_view after) {
  if (before.empty() || after.empty()) return "";
  std::size_t last = before.size() - 1;
  while (last > 0 && (before[last] & '\xC0') == '\x80') --last;
  std::size_t first = 0;
  if (is_cjk(next_code_point(before, last)) && is_cjk(next_code_point(after, first))) return "";
  return gap.empty() ? " " : replace_line_breaks(gap);
}

}  // namespace tfm
