// A document in one of several formats, from plain text to office files. It is read as a list of
// segments, and written again with a translation in place of each of them; everything else stays
// byte for byte as it is. A segment whose translation equals it stays as it is, too.
//
// A segment is a line of HTML text, which is translated with its markup kept (markup/markup.h):
// `&`, `<` and `>` are entities, and tags stand for inline formatting and for objects in the text.
// A translation must be of the same form. If a translation lacks a tag, no content is lost: an
// object then follows the text. Text without letters is not a segment.
//
// Documents come from strangers. Readers take memory and time in proportion to the size of the
// document, load nothing from other places, and write no files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tfm {

enum class DocumentFormat {
  txt,
  srt,
  vtt,
  markdown,
  html,
  po,
  json,
  yaml,
  docx,
  odt,
  pptx,
  xlsx,
  epub,
};

struct DocumentEnding {
  std::string_view ending;  ///< with the dot, in lower case: ".docx"
  DocumentFormat format;
};

/// Returns the endings of file names from which the format is known.
std::span<const DocumentEnding> document_endings();
/// Returns these endings, separated by commas.
std::string list_document_endings();
/// Returns the format of a file name, or nullopt if its ending is not one of document_endings().
std::optional<DocumentFormat> document_format(const std::filesystem::path& name);
/// Returns the media type of a format, such as "text/html".
std::string_view media_type(DocumentFormat format);

/// Limits on the archives of office formats (docx, odt, pptx, xlsx, epub), which can contain far
/// more than their size suggests.
struct ArchiveLimits {
  std::uint64_t entries = 10'000;
  std::uint64_t entry_bytes = std::uint64_t{256} << 20;  ///< of an entry when it is unpacked
  std::uint64_t total_bytes = std::uint64_t{1} << 30;    ///< of all entries when they are unpacked
  /// the most by which an entry of at least 1 MiB may be larger than it is packed
  std::uint64_t ratio = 400;
};

struct DocumentOptions {
  std::string name;  ///< the name of the document in errors
  DocumentFormat format = DocumentFormat::txt;
  bool mark_fuzzy = false;  ///< marks each translation that is added to a PO file as fuzzy
  ArchiveLimits limits{};
};

class Document {
 public:
  virtual ~Document() = default;

  const std::vector<std::string>& segments() const { return segments_; }

  /// Returns the document with the translations, of which number i is that of segment i. Throws
  /// DataError if it cannot be written.
  virtual std::string with_translations(std::span<const std::string> translations) const = 0;

 protected:
  explicit Document(std::vector<std::string> segments) : segments_(std::move(segments)) {}

 private:
  std::vector<std::string> segments_;
};

/// Reads a document. Throws DataError with the name and the place if the bytes are not a document
/// of the format, are not UTF-8, or exceed the limits.
std::unique_ptr<Document> read_document(std::string bytes, const DocumentOptions& options);

}  // namespace tfm
