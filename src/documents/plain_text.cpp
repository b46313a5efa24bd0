#include <algorithm>

#include "text_document.h"
#include "tfm/text/characters.h"
#include "tfm/text/utf8.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

/// The narrowest text that counts as wrapped: lines of addresses and poems are shorter.
constexpr std::size_t narrowest_wrap = 40;
/// The most lines of a heading.
constexpr std::size_t longest_heading = 3;
/// Longer lines are paragraphs of their own.
constexpr std::size_t widest_wrap = 120;

/// Puts words into lines of at most `width` characters, except for longer words.
std::string wrap_words(std::string_view text, std::size_t width, std::string_view line_break) {
  std::string wrapped;
  std::size_t column = 0;
  for (const auto word : split_words(text)) {
    const auto length = count_code_points(word);
    if (column > 0 && column + 1 + length > width) {
      wrapped += line_break;
      column = 0;
    } else if (column > 0) {
      wrapped += ' ';
      ++column;
    }
    wrapped += word;
    column += length;
  }
  return wrapped;
}

/// Finds the paragraphs of plain text. Lines belong together if a program has wrapped them: each
/// has the same indentation, and the first word of the next line would not have fitted. Any other
/// line is a paragraph.
class PlainTextReader {
 public:
  explicit PlainTextReader(std::string_view text) : text_(text), lines_(split_text_lines(text)) {}

  std::vector<TextSlot> read() {
    for (std::size_t first = 0; first < lines_.size();) {
      std::size_t last = first;
      while (last + 1 < lines_.size() && !content(last + 1).empty()) ++last;
      // A heading of a few lines may precede wrapped lines.
      const auto last_heading = std::min(first + longest_heading, last);
      while (first < last_heading && !is_wrapped(first, last)) add(first, first), ++first;
      if (is_wrapped(first, last)) {
        add(first, last);
      } else {
        for (auto i = first; i <= last; ++i) add(i, i);
      }
      first = last + 1;
    }
    return std::move(slots_);
  }

 private:
  std::string_view line(std::size_t i) const { return line_text(text_, lines_[i]); }
  std::string_view indentation(std::size_t i) const {
    return line(i).substr(0, std::min(line(i).find_first_not_of(whitespace), line(i).size()));
  }
  std::string_view content(std::size_t i) const { return trim(line(i)); }

  std::size_t width(std::size_t first, std::size_t last) const {
    std::size_t widest = 0;
    for (auto i = first; i <= last; ++i) widest = std::max(widest, count_code_points(content(i)));
    return widest;
  }

  bool is_wrapped(std::size_t first, std::size_t last) const {
    const auto widest = width(first, last);
    if (first == last || widest < narrowest_wrap || widest > widest_wrap) return false;
    for (auto i = first; i < last; ++i) {
      const auto words = split_words(content(i + 1));
      const auto has_space = content(i).find(' ') != std::string_view::npos;
      if (indentation(i + 1) != indentation(i) || !has_space || !begins_with_word(content(i + 1)) ||
          count_code_points(content(i)) + 1 + count_code_points(words.front()) <= widest)
        return false;
    }
    return true;
  }

  /// Returns false for what may be an item of a list.
  static bool begins_with_word(std::string_view content) {
    std::size_t at = 0;
    const auto c = next_code_point(content, at);
    return !is_digit(c) && (is_letter(c) || is_opener(c)) && c != '-';
  }

  void add(std::size_t first, std::size_t last) {
    std::string joined;
    for (auto i = first; i <= last; ++i) (joined += i > first ? " " : "") += content(i);
    if (!has_letters(joined)) return;
    InlineText text;
    text.add_text(joined);
    const auto begin = lines_[first].begin + indentation(first).size();
    const auto end = lines_[last].begin + indentation(last).size() + content(last).size();
    const auto line_break =
        std::string(text_.substr(lines_[first].end, lines_[first].next - lines_[first].end)) +
        std::string(indentation(first));
    auto slot = inline_slot(begin, end, std::move(text),
                            [](std::string_view plain) { return std::string(plain); });
    if (last > first) {
      slot.write = [write = slot.write, line_break, width = width(first, last)](auto translations) {
        return wrap_words(write(translations), width, line_break);
      };
    }
    slots_.push_back(std::move(slot));
  }

  std::string_view text_;
  std::vector<TextLine> lines_;
  std::vector<TextSlot> slots_;
};

}  // namespace

std::vector<TextSlot> plain_text_slots(std::string_view text) {
  return PlainTextReader(text).read();
}

}  // namespace tfm
