// The content of a paragraph as items (xml_paragraph.h), from which segments are made and to which
// translations are applied.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <vector>

#include "xml_paragraph.h"

namespace tfm {

struct ParagraphItem {
  enum class Kind {
    text,
    object,   ///< an element that is not text
    line,     ///< an object that ends a line; or, without a node, a line feed
    element,  ///< a container, or text in another format than the text around it
  };
  Kind kind = Kind::text;
  std::string text{};
  /// the run of a text or object, the element of a container; null for text that is not in a run
  pugi::xml_node shell{};
  pugi::xml_node node{};  ///< of an object, inside its shell or (if it has none) alone
  std::string format{};   ///< of a text: two texts with equal formats look the same
  std::vector<ParagraphItem> children{};  ///< of an element
  /// what is written before and after the children, such as the marks of a field; of an object
  /// without a node, all that it is
  std::vector<ParagraphItem> before{};
  std::vector<ParagraphItem> after{};
};

/// A part of a paragraph between line breaks. Only `inside` is translated.
struct ParagraphPart {
  std::vector<ParagraphItem> before;
  std::vector<ParagraphItem> inside;
  std::vector<ParagraphItem> after;
  std::string format{};    ///< the one of text in `inside` that has no tag
  pugi::xml_node shell{};  ///< the run of such text
  std::string segment{};   ///< empty if the part has no letters
};

/// Reads the items of a paragraph. Adjacent texts of one format are one item.
std::vector<ParagraphItem> read_items(const pugi::xml_node& parent, const ParagraphSchema& schema);
/// Divides items at line breaks, which are parts without a segment.
std::vector<ParagraphPart> split_parts(std::vector<ParagraphItem> items);

}  // namespace tfm
