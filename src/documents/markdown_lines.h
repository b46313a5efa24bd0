// The lines of Markdown (CommonMark, and the footnotes and alerts of GitHub): the marks that they
// begin with, and what they are if they are not text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tfm {

/// The marks of quotes, lists and footnotes before the text of a line.
struct MarkdownPrefix {
  std::size_t length = 0;  ///< in bytes, with the spaces before the text
  bool has_mark = false;   ///< true if an item of a list or a footnote begins
  bool is_alert = false;   ///< true if an alert begins: "> [!NOTE]"
  std::size_t quotes = 0;  ///< nested
  /// of the text, in columns after the last mark of a quote; 4 after the mark of a footnote
  std::size_t indentation = 0;
};
MarkdownPrefix markdown_prefix(std::string_view line);

/// Returns true for a line of at least three -, _ or *, and for the underline of a heading.
bool is_markdown_rule(std::string_view text);

/// Returns the marks that begin a block of code (``` or ~~~), or an empty text.
std::string_view markdown_fence(std::string_view content);

/// A definition of a link: `[label]: target "title"`.
struct MarkdownDefinition {
  std::string_view label;
  std::size_t lines = 0;  ///< that it takes; 0 if the text is not a definition
};
/// Reads the definition that begins the first of three lines. `[a]: some text` is text.
MarkdownDefinition markdown_definition(std::string_view first, std::string_view second = {},
                                       std::string_view third = {});

}  // namespace tfm
