#include "archive_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "text_document.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

/// The most elements that enclose another. Office programs write about thirty.
constexpr int deepest_xml = 512;

std::vector<std::string> part_segments(const std::vector<ArchivePart>& parts) {
  std::vector<std::string> segments;
  for (const auto& [path, part] : parts)
    segments.insert(segments.end(), part->segments().begin(), part->segments().end());
  return segments;
}

/// A paragraph of a parsed document.
struct FoundParagraph {
  pugi::xml_node node;
  const ParagraphSchema* schema;
};

/// Finds the paragraphs in their order, also those in objects of other paragraphs.
class ParagraphFinder : public pugi::xml_tree_walker {
 public:
  explicit ParagraphFinder(FindSchema find_schema) : find_schema_(find_schema) {}

  bool for_each(pugi::xml_node& node) override {
    if (node.type() != pugi::node_element) return true;
    if (const auto* const schema = find_schema_(node)) found.push_back({node, schema});
    return true;
  }

  std::vector<FoundParagraph> found;

 private:
  FindSchema find_schema_;
};

std::vector<FoundParagraph> find_paragraphs(pugi::xml_document& document, FindSchema find_schema) {
  ParagraphFinder finder(find_schema);
  document.traverse(finder);
  return std::move(finder.found);
}

std::vector<std::string> xml_segments(const std::string& place, const std::string& text,
                                      FindSchema find_schema) {
  auto document = parse_xml(place, text);
  std::vector<std::string> segments;
  for (const auto& paragraph : find_paragraphs(document, find_schema)) {
    auto own = paragraph_segments(paragraph.node, *paragraph.schema);
    std::ranges::move(own, std::back_inserter(segments));
  }
  return segments;
}

/// Finds what is nested too deeply, or declares a document type that is not accepted.
class XmlChecker : public pugi::xml_tree_walker {
 public:
  explicit XmlChecker(DocumentTypes accepted) : accepted_(accepted) {}

  bool for_each(pugi::xml_node& node) override {
    if (node.type() == pugi::node_doctype) has_type |= is_refused(node.value());
    is_deep |= depth() > deepest_xml;
    return !is_deep && !has_type;
  }
  bool has_type = false;
  bool is_deep = false;

 private:
  /// Entities are defined in brackets, or in a file, which is not loaded.
  bool is_refused(std::string_view type) const {
    return accepted_ == DocumentTypes::none || type.find('[') != type.npos;
  }

  DocumentTypes accepted_;
};

std::string write_xml(pugi::xml_document& document) {
  if (auto encoding = document.first_child().attribute("encoding");
      document.first_child().type() == pugi::node_declaration && encoding)
    encoding = "UTF-8";
  std::ostringstream written;
  document.save(written, "", pugi::format_raw | pugi::format_no_declaration, pugi::encoding_utf8);
  return written.str();
}

}  // namespace

pugi::xml_document parse_xml(const std::string& place, const std::string& text,
                             DocumentTypes accepted) {
  pugi::xml_document document;
  const auto result =
      document.load_buffer(text.data(), text.size(), pugi::parse_full | pugi::parse_ws_pcdata);
  if (!result)
    throw DataError(fmt::format("{} (byte {})", place, result.offset),
                    std::string("is not valid XML: ") + result.description(),
                    "Check that the document opens in its program.");
  if (result.encoding == pugi::encoding_utf8) check_utf8(place, text);
  XmlChecker checker(accepted);
  document.traverse(checker);
  if (checker.has_type)
    throw DataError(place, "has a document type (DOCTYPE), which may define entities",
                    "Remove the DOCTYPE, or save the document again with its program.");
  if (checker.is_deep)
    throw DataError(place, fmt::format("is nested more than {} elements deep", deepest_xml));
  return document;
}

ArchiveDocument::ArchiveDocument(std::unique_ptr<ZipArchive> archive,
                                 std::vector<ArchivePart> parts)
    : Document(part_segments(parts)), archive_(std::move(archive)), parts_(std::move(parts)) {}

std::string ArchiveDocument::with_translations(std::span<const std::string> translations) const {
  std::map<std::string, std::string> replaced;
  for (const auto& [path, part] : parts_) {
    const auto own = translations.first(part->segments().size());
    translations = translations.subspan(own.size());
    if (!std::ranges::equal(own, part->segments())) replaced[path] = part->with_translations(own);
  }
  return archive_->with_entries(replaced);
}

XmlDocument::XmlDocument(std::string place, std::string text, FindSchema find_schema)
    : Document(xml_segments(place, text, find_schema)),
      place_(std::move(place)),
      text_(std::move(text)),
      find_schema_(find_schema) {}

std::string XmlDocument::with_translations(std::span<const std::string> translations) const {
  auto document = parse_xml(place_, text_);
  const auto paragraphs = find_paragraphs(document, find_schema_);
  for (const auto& [node, schema] : paragraphs) {
    const auto segments = paragraph_segments(node, *schema);
    const auto own = translations.first(segments.size());
    translations = translations.subspan(segments.size());
    if (!std::ranges::equal(own, segments)) set_paragraph(node, *schema, own);
  }
  return write_xml(document);
}

}  // namespace tfm
