// Removes markup from text before translation and restores it afterwards. Tags, comments,
// addresses and placeholders for values ({name}, %s) are removed, so that the model sees plain
// text, and are put back at the aligned words of the translation.
//
// Every markup token of the source is in the result exactly once, byte for byte, and elements are
// nested as in the source, whatever the alignment is. So are elements that begin or end in another
// line. Text that only resembles markup ("a < b", "<3", "<b" without ">") is treated as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// A tag, comment, address, placeholder or unknown entity, spelled as in the line.
struct MarkupToken {
  enum class Kind {
    opening,      ///< a start tag that has an end tag
    closing,      ///< an end tag that has a start tag
    unclosed,     ///< a start tag whose element continues after the line
    unopened,     ///< an end tag whose element began before the line
    standalone,   ///< covers no text: <br/>, a comment, a tag that is not nested
    placeholder,  ///< {name}, %s, an address, an unknown entity: covers no text, but is a word
  };

  std::string text;
  Kind kind = Kind::standalone;
  std::size_t partner = 0;  ///< index of the matching end or start tag; unused for other kinds
  std::size_t at = 0;       ///< byte offset in plain(), before the white space there, if any
  bool space_before = false;
  bool space_after = false;
  /// true if the token separates words even without white space, such as {name}, <br> and <p>
  bool breaks_word = false;
};

/// Returns true if the line has a tag, a comment or a known HTML entity. Placeholders do not count.
bool has_html(std::string_view line);

class MarkedText {
 public:
  /// Parses a line. HTML entities become the characters that they stand for, and runs of white
  /// space become one space. A line without markup and entities stays unchanged.
  explicit MarkedText(std::string_view line);

  /// Returns the line without markup, which is the text to translate.
  const std::string& plain() const { return plain_; }
  /// Returns the markup tokens, in the order of the line.
  const std::vector<MarkupToken>& marks() const { return marks_; }
  /// Returns true if the line has markup or entities. Otherwise, restore() returns the translation
  /// unchanged.
  bool has_markup() const { return escaped_ || !marks_.empty(); }

  /// Inserts the markup tokens into the translation of plain(). `source_of` has an entry for each
  /// white-space-separated word of the translation: the index of the aligned word of plain(), or
  /// -1. An element encloses the run of words that agrees best with the words that it enclosed in
  /// the source; one that begins or ends in another line reaches the end or the begin of the
  /// translation. A standalone token or placeholder at the start or end of the line or of its
  /// element stays there. Any other standalone token or placeholder is placed before the
  /// translation of the word that it preceded, or, if that word is not aligned, next to the
  /// translation of the nearest aligned word. If the line has a tag, a comment or an entity, `&`,
  /// `<` and `>` are escaped, except for those characters that the line itself contains unescaped.
  std::string restore(std::string_view translation, std::span<const std::int64_t> source_of) const;

 private:
  std::string plain_;
  std::vector<MarkupToken> marks_;
  std::string raw_specials_;  // the characters of "&<>" that the line contains unescaped
  bool escaped_ = false;      // true if the line has an entity
  bool html_ = false;         // true if the line has a tag, a comment or an entity
};

}  // namespace tfm
