#include "tfm/text/sentences.h"

#include <cstddef>

#include "abbreviations.h"
#include "characters.h"
#include "tfm/text/line_breaks.h"
#include "tfm/text/utf8.h"

namespace tfm {
namespace {

/// Walks over the code points of a text.
class Cursor {
 public:
  Cursor(std::string_view text, std::size_t position) : text_(text), position_(position) {}

  std::size_t position() const { return position_; }
  bool at_end() const { return position_ >= text_.size(); }
  /// 0 at the end.
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

bool is_any_end_mark(char32_t c) { return is_end_mark(c) || is_cjk_end_mark(c); }

/// Past the quotes and brackets that close. Some quotes open in one language and close in another:
/// before a letter, the last one opens.
Cursor after_quotes(std::string_view text, std::size_t position) {
  Cursor cursor(text, position);
  Cursor last = cursor;
  while (is_closer(cursor.peek())) {
    last = cursor;
    cursor.step();
  }
  return is_opener(last.peek()) && is_letter(cursor.peek()) ? last : cursor;
}

/// Past what closes after the end marks: quotes and brackets, and, as French has it, a » between
/// spaces.
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

/// Whether what stands here, after white space, may be a sentence's beginning.
bool begins_sentence(std::string_view text, std::size_t position) {
  Cursor cursor(text, position);
  cursor.skip([](char32_t c) { return is_opener(c) || is_space(c); });
  const char32_t c = cursor.peek();
  // the last: emoji
  return cursor.at_end() || is_digit(c) || (is_letter(c) && !is_lower(c)) || c >= 0x1F000;
}

/// What may be a sentence's end: positions in the text.
struct End {
  std::size_t word;    // where the word before the end marks begins
  std::size_t mark;    // the first end mark
  std::size_t closer;  // past the last one
  std::size_t end;     // past what closes after them
};

bool has_cjk_mark(std::string_view marks) {
  Cursor cursor(marks, 0);
  cursor.skip([](char32_t c) { return !is_cjk_end_mark(c); });
  return !cursor.at_end();
}

/// Directly after Chinese or Japanese marks, or before such text. A quote within a sentence goes on
/// after its closing mark.
bool ends_without_space(std::string_view marks, bool closed, char32_t next) {
  if (has_cjk_mark(marks)) return !closed || !is_letter(next) || is_opener(next);
  return is_cjk(next) && marks != "." && !closed;
}

bool ends_sentence(std::string_view text, const End& at) {
  const auto marks = text.substr(at.mark, at.closer - at.mark);
  Cursor next(text, at.end);
  if (next.at_end()) return true;
  if (!is_space(next.peek())) return ends_without_space(marks, at.end > at.closer, next.peek());
  next.skip(is_space);
  if (has_cjk_mark(marks)) return true;
  if (!begins_sentence(text, next.position())) return false;
  return marks != "." ||
         !is_abbreviation(text.substr(at.word, at.mark - at.word), is_digit(next.peek()));
}

std::string_view trimmed(std::string_view text) {
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

/// Past the sentence that begins at `begin`, its closing quotes included.
std::size_t sentence_end(std::string_view text, std::size_t begin) {
  std::size_t word = begin;
  for (Cursor cursor(text, begin); !cursor.at_end();) {
    const char32_t c = cursor.peek();
    const auto mark = cursor.position();
    if (is_any_end_mark(c)) {
      cursor.skip(is_any_end_mark);
      const End at{word, mark, cursor.position(), after_closers(text, cursor.position())};
      if (ends_sentence(text, at)) return at.end;
      continue;
    }
    cursor.step();
    if (is_line_end(c)) return cursor.position();
    // an opener within a word is an apostrophe or a hyphen
    if (is_space(c) || (is_opener(c) && word == mark)) word = cursor.position();
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
    const auto sentence = trimmed(text.substr(first, next - first));
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
