// Documents for tests, and translations of them that need no model.
#pragma once

#include <zip.h>

#include <cctype>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "documents/inline_text.h"
#include "tfm/documents/document.h"
#include "tfm/markup/html_pieces.h"

namespace tfm {

inline DocumentOptions document_options(DocumentFormat format) {
  return {.name = "sample", .format = format};
}

inline std::vector<std::string> segments_of(const std::string& bytes, DocumentFormat format) {
  return read_document(bytes, document_options(format))->segments();
}

/// Returns the segment with its ASCII letters in upper case, and its tags as they are.
inline std::string shout_segment(const std::string& segment) {
  std::string shouted;
  for (const auto& token : split_inline(segment)) {
    if (token.kind != InlineToken::Kind::text) {
      shouted += token.text;
      continue;
    }
    auto text = token.text;
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    shouted += escape_html(text);
  }
  return shouted;
}

inline std::string shout(const std::string& bytes, const DocumentOptions& options) {
  const auto document = read_document(bytes, options);
  std::vector<std::string> translations;
  for (const auto& segment : document->segments()) translations.push_back(shout_segment(segment));
  return document->with_translations(translations);
}

inline std::string shout(const std::string& bytes, DocumentFormat format) {
  return shout(bytes, document_options(format));
}

/// Returns the document with each segment as its own translation.
inline std::string repeat(const std::string& bytes, DocumentFormat format) {
  const auto document = read_document(bytes, document_options(format));
  return document->with_translations(document->segments());
}

using ZipEntries = std::vector<std::pair<std::string, std::string>>;

/// Returns a zip archive with these entries. With a password, the entries are encrypted.
inline std::string make_zip(const ZipEntries& entries, const char* password = nullptr) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* target = zip_source_buffer_create(nullptr, 0, 0, &error);
  zip_source_keep(target);
  zip_t* archive = zip_open_from_source(target, ZIP_TRUNCATE, &error);
  for (const auto& [path, content] : entries) {
    auto* const source = zip_source_buffer(archive, content.data(), content.size(), 0);
    const auto index = zip_file_add(archive, path.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) throw std::runtime_error("the zip archive of a test can't be made");
    if (path == "mimetype")
      zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
    if (password != nullptr)
      zip_file_set_encryption(archive, static_cast<zip_uint64_t>(index), ZIP_EM_AES_128, password);
  }
  if (zip_close(archive) != 0) throw std::runtime_error("the zip archive of a test can't be made");
  zip_stat_t stat;
  zip_source_open(target);
  zip_source_stat(target, &stat);
  std::string bytes(stat.size, '\0');
  zip_source_read(target, bytes.data(), bytes.size());
  zip_source_close(target);
  zip_source_free(target);
  return bytes;
}

/// Returns the content of an entry of a zip archive.
inline std::string zip_entry(const std::string& bytes, const std::string& path) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  zip_t* archive = zip_open_from_source(source, ZIP_CHECKCONS, &error);
  if (archive == nullptr) throw std::runtime_error("not a zip archive");
  zip_stat_t stat;
  std::string content;
  if (zip_stat(archive, path.c_str(), 0, &stat) == 0) {
    content.resize(stat.size);
    zip_file_t* file = zip_fopen(archive, path.c_str(), 0);
    zip_fread(file, content.data(), content.size());
    zip_fclose(file);
  }
  zip_discard(archive);
  return content;
}

/// A docx document with this body, and entries that are not translated.
inline std::string make_docx(const std::string& body) {
  const std::string names =
      R"( xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main")";
  return make_zip({{"[Content_Types].xml", "<Types/>"},
                   {"word/document.xml", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<w:document" +
                                             names + "><w:body>" + body + "</w:body></w:document>"},
                   {"word/media/image1.png", std::string("\x89PNG\0\1", 6)}});
}

}  // namespace tfm
