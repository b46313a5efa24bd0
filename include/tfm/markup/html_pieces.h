// Splits an HTML document or fragment into pieces of running text, which are translated one by one
// with their inline markup (markup.h), and everything between them, which stays as it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tfm {

struct HtmlPiece {
  std::string text;
  /// true for running text, which has no white space at its ends and may have inline tags
  bool is_text = false;
};

/// Returns the pieces, whose concatenation is the document. Tags of blocks (<p>, <li>, <td>),
/// comments, the elements script, style, code, pre, svg and math with their content, and elements
/// with translate="no" stay as they are. The document need not be well-formed; text that only
/// resembles markup is running text.
std::vector<HtmlPiece> split_html(std::string_view document);

/// Replaces `&`, `<` and `>` by entities, for the translation of a piece without markup.
std::string escape_html(std::string_view text);

}  // namespace tfm
