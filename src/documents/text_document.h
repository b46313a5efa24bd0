// A document that is text: slots of it are translated, and the bytes between them stay as they are.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "inline_text.h"
#include "tfm/documents/document.h"

namespace tfm {

/// A range of bytes that is replaced when the document is written.
struct TextSlot {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::vector<std::string> segments{};
  /// Returns the bytes that replace the range.
  std::function<std::string(std::span<const std::string> translations)> write{};
  /// true if the range is replaced even if the translations equal the segments
  bool always = false;
};

class TextDocument : public Document {
 public:
  /// The slots are in the order of their positions, and do not overlap.
  TextDocument(std::string bytes, std::vector<TextSlot> slots);

  std::string with_translations(std::span<const std::string> translations) const override;

 private:
  std::string bytes_;
  std::vector<TextSlot> slots_;
};

/// A slot whose text is one segment, which is written in the spelling of the document.
TextSlot inline_slot(std::size_t begin, std::size_t end, InlineText text, SpellText spell);

/// A value of a file of strings, such as a JSON string. Each of its lines with letters is a
/// segment. Tags in it are kept as markup.
class StringValue {
 public:
  explicit StringValue(std::string_view value);

  const std::vector<std::string>& segments() const { return segments_; }
  std::string join(std::span<const std::string> translations) const;

 private:
  struct Part {
    std::string text;  // between the lines
    InlineText line;
    bool is_line = false;
  };
  std::vector<Part> parts_;
  std::vector<std::string> segments_;
};

/// Returns false for values that no language has: without letters, addresses of the web and of
/// mail.
bool is_text_value(std::string_view value);

struct TextLine {
  std::size_t begin = 0;
  std::size_t end = 0;   ///< without the line end
  std::size_t next = 0;  ///< the begin of the next line
};

/// Splits at LF, CR LF and CR. Concatenated, the ranges [begin, next) are the text.
std::vector<TextLine> split_text_lines(std::string_view text);

/// Returns a line of the text without its end.
inline std::string_view line_text(std::string_view text, const TextLine& line) {
  return text.substr(line.begin, line.end - line.begin);
}
/// Returns the end of a line: LF, CR LF, CR or nothing.
inline std::string_view line_break(std::string_view text, const TextLine& line) {
  return text.substr(line.end, line.next - line.end);
}

/// Returns "name:line" of an offset, for errors.
std::string text_place(const std::string& name, std::string_view text, std::size_t offset);

/// Throws DataError if the text is not valid UTF-8. `place` is the one in the error.
void check_utf8(const std::string& place, std::string_view text);

// The readers of the formats. `name` is the document's in errors.
std::vector<TextSlot> plain_text_slots(std::string_view text);
std::vector<TextSlot> subtitle_slots(std::string_view text, bool is_vtt);
std::vector<TextSlot> markdown_slots(std::string_view text);
std::vector<TextSlot> html_slots(std::string_view text);
std::vector<TextSlot> po_slots(const std::string& name, std::string_view text, bool mark_fuzzy);
std::vector<TextSlot> json_slots(const std::string& name, std::string_view text);
std::vector<TextSlot> yaml_slots(const std::string& name, std::string_view text);

}  // namespace tfm
