// Text with markup, and the markup of its translation. What is not language - tags, comments,
// placeholders for values ({name}, %s) - is taken out of a line, so that the model sees plain text,
// and is put back into the translation where the words around it went.
//
// Every mark of the source stands in the result exactly once, byte for byte, and elements are
// nested as they were, whatever the alignment says. What only looks like markup ("a < b", "<3",
// "<b" without an end) is text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// A piece of markup, as it is spelled.
struct MarkupToken {
  enum class Kind {
    opening,  ///< <b>, with its end tag
    closing,  ///< </b>, with its start tag
    /// what covers no text: <br/>, a comment, a tag without its other half, an entity that is not
    /// known
    point,
    placeholder,  ///< {name}, %s, $1: as a point, but it will be read as a word
  };

  std::string text;
  Kind kind = Kind::point;
  std::size_t partner = 0;  ///< of an opening or closing mark: the other one's index
  std::size_t at = 0;       ///< bytes of the plain text before it, white space not counted
  bool space_before = false;
  bool space_after = false;
  /// words on its two sides are two words, though no space stands there: placeholders, <br>, <p>
  bool divides = false;
};

class MarkedText {
 public:
  /// Entities of HTML become the characters that they stand for, runs of white space one space; a
  /// line without markup stays as it is.
  explicit MarkedText(std::string_view line);

  /// What to translate.
  const std::string& plain() const { return plain_; }
  const std::vector<MarkupToken>& marks() const { return marks_; }
  /// Whether restore has anything to do.
  bool any() const { return escaped_ || !marks_.empty(); }

  /// The translation of plain() with the marks. source_of: for each word of the translation
  /// (between white space) the word of plain() that it is aligned to, or -1. An element stands
  /// around the run of words that agrees best with the words it covered; a point before the word
  /// that followed it. `&`, `<`, `>` are escaped where the line is HTML and did not have them
  /// unescaped itself.
  std::string restore(std::string_view translation, std::span<const std::int64_t> source_of) const;

 private:
  std::string plain_;
  std::vector<MarkupToken> marks_;
  std::string raw_specials_;  // of "&<>", those that stood in the line's text unescaped
  bool escaped_ = false;      // the line had an entity
  bool html_ = false;         // a tag, a comment or an entity
};

}  // namespace tfm
