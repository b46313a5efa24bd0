// A document that is an archive: some of its entries are documents, whose segments are translated.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tfm/documents/document.h"
#include "xml_paragraph.h"
#include "zip_archive.h"

namespace tfm {

/// The part of an archive under this path.
using ArchivePart = std::pair<std::string, std::unique_ptr<Document>>;

class ArchiveDocument : public Document {
 public:
  ArchiveDocument(std::unique_ptr<ZipArchive> archive, std::vector<ArchivePart> parts);

  std::string with_translations(std::span<const std::string> translations) const override;

 private:
  std::unique_ptr<ZipArchive> archive_;
  std::vector<ArchivePart> parts_;
};

/// Returns the schema of an element that is a paragraph, otherwise nullptr.
using FindSchema = const ParagraphSchema* (*)(const pugi::xml_node&);

/// An XML document whose paragraphs are translated.
class XmlDocument : public Document {
 public:
  /// Throws DataError if the text is not XML, has a document type (which may name entities to load
  /// or to expand), or is nested too deeply.
  XmlDocument(std::string place, std::string text, FindSchema find_schema);

  std::string with_translations(std::span<const std::string> translations) const override;

 private:
  std::string place_;
  std::string text_;
  FindSchema find_schema_;
};

// The readers of the formats.
std::unique_ptr<Document> read_office_document(std::string bytes, const DocumentOptions& options);
std::unique_ptr<Document> read_epub(std::string bytes, const DocumentOptions& options);

/// Which document types (DOCTYPE) are accepted. None is ever loaded.
enum class DocumentTypes {
  none,
  without_entities,  ///< for XML that is not written: references to entities are not expanded
};

/// Parses XML. Throws what XmlDocument throws.
pugi::xml_document parse_xml(const std::string& place, const std::string& text,
                             DocumentTypes accepted = DocumentTypes::none);

}  // namespace tfm
