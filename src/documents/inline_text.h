// Builds a segment from text and from what stands in the text but is not translated, and puts this
// back into the translation of the segment. Each piece of the latter becomes a numbered tag:
// `<g1>` and `</g1>` around text, `<x2/>` between words, `<br id="3"/>` between lines.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tfm {

struct InlineToken {
  enum class Kind {
    text,    ///< plain text, without entities
    open,    ///< <g1>
    close,   ///< </g1>
    object,  ///< <x2/> or <br id="3"/>
    tag,     ///< a tag or comment of the document's own
  };
  Kind kind = Kind::text;
  std::string text;        ///< the text, or the tag as it is spelled
  std::size_t number = 0;  ///< of open, close and object
};

/// Splits a segment or its translation into tokens.
std::vector<InlineToken> split_inline(std::string_view segment);

/// Returns the numbered tags.
std::string open_tag(std::size_t number);
std::string close_tag(std::size_t number);
std::string object_tag(std::size_t number, bool ends_line = false);

/// Returns true if the plain text has a letter of any script.
bool has_letters(std::string_view text);
/// Returns true if the text of a segment, without its tags, has a letter.
bool segment_has_letters(std::string_view segment);

/// Returns true for a byte of a letter or digit. All bytes of characters beyond ASCII count.
bool is_word_byte(char c);

/// What becomes of a part of the text that is empty in the translation.
enum class EmptyPart {
  stays,
  goes,        ///< such as bold words
  takes_word,  ///< such as a link, whose target must not be lost: it gets a word next to it
};

/// Turns plain text into the document's spelling of it.
using SpellText = std::function<std::string(std::string_view plain)>;

class InlineText {
 public:
  /// Appends plain text.
  void add_text(std::string_view plain);
  /// Appends text with tags. If `has_entities`, its entities are read, too.
  void add_tagged_text(std::string_view text, bool has_entities);
  /// Appends text whose entities stand for characters. Unknown entities are objects.
  void add_html_text(std::string_view text);
  /// Appends something that stands between words or, if `ends_line`, between lines.
  void add_object(std::string original, bool ends_line = false);
  /// Begins a part of the text that `original` precedes. Returns its number.
  std::size_t open(std::string original, EmptyPart if_empty = EmptyPart::stays);
  /// Ends the part, which `original` follows. A part that is empty from the start stays.
  void close(std::size_t number, std::string original);

  const std::string& segment() const { return segment_; }

  /// Returns a translation of the segment in the spelling of the document.
  std::string restore(std::string_view translation, const SpellText& spell) const;

 private:
  struct Original {
    std::string before;
    std::string after;  // of a part of the text; empty for an object
    bool is_object = false;
    EmptyPart if_empty = EmptyPart::stays;
  };

  /// Returns true if the token is text, a tag of the document, or a number of this text.
  bool is_known(const InlineToken& token) const;

  std::string segment_;
  std::vector<Original> originals_;
};

}  // namespace tfm
