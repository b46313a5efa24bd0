// Reads the translation units of a TMX file (Translation Memory eXchange), which is XML in UTF-8.
// Reads only what TMX needs: elements, attributes, entities, comments and CDATA, one unit at a
// time.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "tfm/core/decoded_file.h"
#include "tfm/corpus/pair_source.h"

namespace tfm {

/// Returns true if the text of the file begins with an XML declaration, a document type or a tmx
/// element. Throws as DecodedFile does.
bool is_xml(const std::filesystem::path& file);

/// Returns the text of a <seg> element's content: entities are decoded, inline codes (bpt, ept, it,
/// ph, ut) are removed with their content, other elements (hi, sub) without it, and white space,
/// including line breaks, becomes single spaces.
std::string tmx_text(std::string_view content);

class TmxSource : public PairSource {
 public:
  /// A language such as "de" also stands for its variants ("de-AT"). Throws ConfigError if a
  /// language is empty.
  TmxSource(const std::filesystem::path& file, std::string source_language,
            std::string target_language);

  /// A unit that lacks one of the languages is malformed. Throws DataError if the file ends within
  /// a unit, or if a unit has more than 16 MB.
  bool next(CorpusPair& pair) override;
  std::optional<double> share_read() const override;

 private:
  bool read_more();
  void skip_to(std::size_t position);
  bool read_beyond(std::size_t last);
  bool skip_over(std::string_view end);
  bool skip_to_unit();
  std::optional<std::string_view> next_unit();

  DecodedFile file_;
  std::string source_language_;
  std::string target_language_;
  std::string buffer_;
  std::size_t at_ = 0;     // the first byte of buffer_ that is not read yet
  std::int64_t line_ = 1;  // of that byte
  double size_;
};

}  // namespace tfm
