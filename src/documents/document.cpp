#include "tfm/documents/document.h"

#include <algorithm>
#include <array>

#include "archive_document.h"
#include "text_document.h"
#include "tfm/core/error.h"
#include "tfm/core/line_reader.h"
#include "tfm/core/spelling.h"
#include "tfm/text/utf8.h"

namespace tfm {
namespace {

using Format = DocumentFormat;

constexpr std::array<DocumentEnding, 19> endings{{
    {".txt", Format::txt},     {".srt", Format::srt},           {".vtt", Format::vtt},
    {".md", Format::markdown}, {".markdown", Format::markdown}, {".html", Format::html},
    {".htm", Format::html},    {".xhtml", Format::html},        {".po", Format::po},
    {".pot", Format::po},      {".json", Format::json},         {".yaml", Format::yaml},
    {".yml", Format::yaml},    {".docx", Format::docx},         {".odt", Format::odt},
    {".pptx", Format::pptx},   {".xlsx", Format::xlsx},         {".epub", Format::epub},
    {".text", Format::txt},
}};

std::vector<TextSlot> text_slots(const DocumentOptions& options, std::string_view text) {
  switch (options.format) {
    case Format::srt:
    case Format::vtt:
      return subtitle_slots(text, options.format == Format::vtt);
    case Format::markdown:
      return markdown_slots(text);
    case Format::html:
      return html_slots(text);
    case Format::po:
      return po_slots(options.name, text, options.mark_fuzzy);
    case Format::json:
      return json_slots(options.name, text);
    case Format::yaml:
      return yaml_slots(options.name, text);
    default:
      return plain_text_slots(text);
  }
}

/// Reads the text after a byte order mark, which is not translated and stays in the document.
std::vector<TextSlot> slots_after_mark(const DocumentOptions& options, std::string_view text) {
  if (!text.starts_with(byte_order_mark)) return text_slots(options, text);
  auto slots = text_slots(options, text.substr(byte_order_mark.size()));
  for (auto& slot : slots) {
    slot.begin += byte_order_mark.size();
    slot.end += byte_order_mark.size();
  }
  return slots;
}

}  // namespace

std::span<const DocumentEnding> document_endings() { return endings; }

std::string list_document_endings() {
  std::string list;
  for (const auto& [ending, format] : endings) list.append(list.empty() ? "" : ", ").append(ending);
  return list;
}

std::optional<DocumentFormat> document_format(const std::filesystem::path& name) {
  const auto ending = to_lower(name.extension().string());
  const auto found = std::ranges::find(endings, ending, &DocumentEnding::ending);
  if (found == endings.end()) return std::nullopt;
  return found->format;
}

std::string_view media_type(DocumentFormat format) {
  switch (format) {
    case Format::txt:
    case Format::po:
      return "text/plain";
    case Format::srt:
      return "application/x-subrip";
    case Format::vtt:
      return "text/vtt";
    case Format::markdown:
      return "text/markdown";
    case Format::html:
      return "text/html";
    case Format::json:
      return "application/json";
    case Format::yaml:
      return "application/yaml";
    case Format::docx:
      return "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    case Format::odt:
      return "application/vnd.oasis.opendocument.text";
    case Format::pptx:
      return "application/vnd.openxmlformats-officedocument.presentationml.presentation";
    case Format::xlsx:
      return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    case Format::epub:
      break;
  }
  return "application/epub+zip";
}

void check_utf8(const std::string& place, std::string_view text) {
  const auto invalid = invalid_utf8(text);
  if (!invalid) return;
  const bool is_utf16 = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
  throw DataError(is_utf16 ? place : text_place(place, text, *invalid),
                  is_utf16 ? "is UTF-16, not UTF-8" : "is not valid UTF-8",
                  "Save the document as UTF-8, or convert it with iconv.");
}

std::unique_ptr<Document> read_document(std::string bytes, const DocumentOptions& options) {
  switch (options.format) {
    case Format::docx:
    case Format::odt:
    case Format::pptx:
    case Format::xlsx:
      return read_office_document(std::move(bytes), options);
    case Format::epub:
      return read_epub(std::move(bytes), options);
    default:
      break;
  }
  if (bytes.starts_with("PK\x03\x04"))
    throw DataError(options.name, "is an archive, not text",
                    "Give the file the ending of its format, such as .docx.");
  check_utf8(options.name, bytes);
  auto slots = slots_after_mark(options, bytes);
  return std::make_unique<TextDocument>(std::move(bytes), std::move(slots));
}

}  // namespace tfm
