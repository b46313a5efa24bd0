// The paragraphs of XML documents. A paragraph is read as items: text, objects, line breaks, and
// elements with formatted text. Text in the most frequent format has no tag in a segment; each
// other run of text, and each element, is a numbered tag. A break divides a paragraph into several
// segments. Objects and white space at the ends of a segment are not part of it.
#pragma once

#include <pugixml.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// What the elements of a paragraph mean. Names are local names, without prefix.
struct ParagraphSchema {
  std::vector<std::string_view> paragraphs;  ///< names of the elements that are paragraphs
  bool is_mixed = false;       ///< true if text is directly in the paragraph (ODF), not in runs
  bool needs_space = false;    ///< true if text elements need xml:space="preserve"
  bool lines_in_text = false;  ///< true if a line feed in the text is a line break (xlsx)
  std::vector<std::string_view> containers;  ///< elements with text of their own, such as links
  std::vector<std::string_view> breaks;      ///< elements that end a line or a column
  std::vector<std::string_view> dropped;     ///< elements that mean nothing after a translation
  std::vector<std::string_view> first;       ///< properties, which stay at the begin
  std::vector<std::string_view> last;        ///< elements that must stay at the end
};

const ParagraphSchema& word_schema();
const ParagraphSchema& drawing_schema();
const ParagraphSchema& sheet_schema();
const ParagraphSchema& odf_schema();

std::string_view local_name(const pugi::xml_node& node);

/// Returns the segments of a paragraph.
std::vector<std::string> paragraph_segments(const pugi::xml_node& paragraph,
                                            const ParagraphSchema& schema);
/// Replaces the content of a paragraph by the translations of its segments. Nodes of objects stay
/// valid: they are moved.
void set_paragraph(pugi::xml_node paragraph, const ParagraphSchema& schema,
                   std::span<const std::string> translations);

}  // namespace tfm
