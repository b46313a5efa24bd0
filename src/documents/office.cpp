// The formats of office programs: Office Open XML (docx, pptx, xlsx) and OpenDocument (odt).
#include <algorithm>
#include <array>
#include <set>

#include "archive_document.h"
#include "tfm/core/error.h"
#include "tfm/markup/entities.h"

namespace tfm {
namespace {

std::string_view name_prefix(const pugi::xml_node& node) {
  const std::string_view name = node.name();
  const auto colon = name.find(':');
  return colon == name.npos ? std::string_view() : name.substr(0, colon);
}

bool is_paragraph_of(const ParagraphSchema& schema, const pugi::xml_node& node) {
  return std::ranges::find(schema.paragraphs, local_name(node)) != schema.paragraphs.end();
}

/// Office programs call the namespace of drawings "a". Charts, diagrams and shapes have its
/// paragraphs.
const ParagraphSchema* find_drawing(const pugi::xml_node& node) {
  return name_prefix(node) == "a" && is_paragraph_of(drawing_schema(), node) ? &drawing_schema()
                                                                             : nullptr;
}

const ParagraphSchema* find_word(const pugi::xml_node& node) {
  if (name_prefix(node) == "a") return find_drawing(node);
  return is_paragraph_of(word_schema(), node) ? &word_schema() : nullptr;
}

const ParagraphSchema* find_sheet(const pugi::xml_node& node) {
  return is_paragraph_of(sheet_schema(), node) ? &sheet_schema() : nullptr;
}

const ParagraphSchema* find_odf(const pugi::xml_node& node) {
  const auto prefix = name_prefix(node);
  return (prefix == "text" || prefix.empty()) && is_paragraph_of(odf_schema(), node) ? &odf_schema()
                                                                                     : nullptr;
}

bool is_in_folder(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && path.find('/', folder.size()) == path.npos &&
         path.ends_with(".xml");
}

/// Returns the local name of the root of an XML text, without parsing it.
std::string root_name(std::string_view text) {
  std::string without_zeros;
  // In UTF-16, Latin letters have zero bytes.
  if (text.substr(0, 4).find('\0') != text.npos) {
    std::ranges::copy_if(text, std::back_inserter(without_zeros), [](char c) { return c != '\0'; });
    text = without_zeros;
  }
  for (auto at = text.find('<'); at != text.npos; at = text.find('<', at + 1)) {
    if (text.substr(at).starts_with("<!--")) at = std::min(text.find("-->", at), text.size() - 1);
    if (at + 1 >= text.size() || text[at] != '<' || text[at + 1] == '?' || text[at + 1] == '!')
      continue;
    auto name = text.substr(at + 1, text.find_first_of(" \t\r\n/>", at + 1) - at - 1);
    return std::string(name.substr(name.find(':') + 1));
  }
  return {};
}

bool is_word_text(std::string_view root) {
  constexpr std::array<std::string_view, 7> names{
      "document", "hdr", "ftr", "footnotes", "endnotes", "comments", "glossaryDocument"};
  return std::ranges::find(names, root) != names.end();
}

/// Returns how an entry is read, or nullptr if it is not translated.
FindSchema schema_of_entry(DocumentFormat format, std::string_view path, std::string_view text) {
  const auto root = root_name(text);
  const bool has_drawings = root == "chartSpace" || root == "dataModel" || root == "drawing";
  switch (format) {
    case DocumentFormat::docx:
      if (is_in_folder(path, "word/") && is_word_text(root)) return find_word;
      return has_drawings ? find_drawing : nullptr;
    case DocumentFormat::pptx:
      return root == "sld" || root == "notes" || has_drawings ? find_drawing : nullptr;
    case DocumentFormat::xlsx:
      if (root == "sst" || root == "worksheet") return find_sheet;
      return has_drawings || root == "wsDr" ? find_drawing : nullptr;
    case DocumentFormat::odt:
      return path == "content.xml" || path == "styles.xml" ? find_odf : nullptr;
    default:
      return nullptr;
  }
}

/// Returns true for entries in the folders that hold text.
bool may_have_text(DocumentFormat format, std::string_view path) {
  if (!path.ends_with(".xml")) return false;
  switch (format) {
    case DocumentFormat::docx:
      return path.starts_with("word/");
    case DocumentFormat::pptx:
      return path.starts_with("ppt/") && !path.starts_with("ppt/slideMasters/") &&
             !path.starts_with("ppt/slideLayouts/") && !path.starts_with("ppt/theme/");
    case DocumentFormat::xlsx:
      return path.starts_with("xl/");
    default:
      return path == "content.xml" || path == "styles.xml";
  }
}

std::string_view main_entry(DocumentFormat format) {
  return format == DocumentFormat::odt ? "content.xml" : "[Content_Types].xml";
}

/// Returns the headings of tables, which formulas name, and which must equal the cells.
std::set<std::string> table_headings(const ZipArchive& archive, const std::string& name) {
  std::set<std::string> headings;
  for (const auto& path : archive.entries()) {
    if (!is_in_folder(path, "xl/tables/")) continue;
    const auto document = parse_xml(name + ":" + path, archive.read(path));
    for (const auto& found : document.select_nodes("//*[local-name()='tableColumn']"))
      headings.insert(found.node().attribute("name").value());
  }
  return headings;
}

/// A part of a workbook, in which the headings of tables stay as they are.
class SheetDocument : public Document {
 public:
  SheetDocument(std::unique_ptr<Document> part, const std::set<std::string>& headings)
      : Document(choose(*part, headings)), part_(std::move(part)), headings_(headings) {}

  std::string with_translations(std::span<const std::string> translations) const override {
    std::vector<std::string> all;
    for (const auto& segment : part_->segments()) {
      const bool stays = is_heading(segment, headings_);
      all.push_back(stays ? segment : translations.front());
      if (!stays) translations = translations.subspan(1);
    }
    return part_->with_translations(all);
  }

 private:
  static bool is_heading(const std::string& segment, const std::set<std::string>& headings) {
    return headings.contains(decode_entities(segment));
  }

  static std::vector<std::string> choose(const Document& part,
                                         const std::set<std::string>& headings) {
    std::vector<std::string> chosen;
    for (const auto& segment : part.segments()) {
      if (!is_heading(segment, headings)) chosen.push_back(segment);
    }
    return chosen;
  }

  std::unique_ptr<Document> part_;
  std::set<std::string> headings_;
};

}  // namespace

std::unique_ptr<Document> read_office_document(std::string bytes, const DocumentOptions& options) {
  auto archive = std::make_unique<ZipArchive>(options.name, std::move(bytes), options.limits);
  if (!archive->has(main_entry(options.format)))
    throw DataError(options.name, "is not a document of the format that its ending names",
                    "Give the file the ending of its format.");
  const bool is_workbook = options.format == DocumentFormat::xlsx;
  const auto headings =
      is_workbook ? table_headings(*archive, options.name) : std::set<std::string>();
  std::vector<ArchivePart> parts;
  for (const auto& path : archive->entries()) {
    if (!may_have_text(options.format, path)) continue;
    auto text = archive->read(path);
    const auto schema = schema_of_entry(options.format, path, text);
    if (schema == nullptr) continue;
    std::unique_ptr<Document> part =
        std::make_unique<XmlDocument>(options.name + ":" + path, std::move(text), schema);
    if (!headings.empty()) part = std::make_unique<SheetDocument>(std::move(part), headings);
    if (!part->segments().empty()) parts.emplace_back(path, std::move(part));
  }
  return std::make_unique<ArchiveDocument>(std::move(archive), std::move(parts));
}

}  // namespace tfm
