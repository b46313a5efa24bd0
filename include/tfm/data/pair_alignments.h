// The links between the words of the pairs of a text (data.alignments): a file in Pharaoh format
// with one line for each line of the text, or the third fields of the text's TSV file. Words are
// those between white space (split_words).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tfm/core/line_reader.h"
#include "tfm/data/corpus.h"
#include "tfm/text/word_alignment.h"

namespace tfm {

/// Returns the file that data.alignments gives to a set, if any. The empty name is that of the only
/// text, which data.alignments calls train.
std::optional<std::filesystem::path> alignments_file(const DataConfig& config,
                                                     std::string_view set);

/// Returns this file if modifiers need it.
std::optional<std::filesystem::path> links_file(const DataConfig& config, std::string_view set);

/// Reads the links of the pairs of a text, one after the other.
class LinkReader {
 public:
  /// `files` are those of the text. Throws DataError if the file of the links can't be read.
  LinkReader(ParallelFiles files, std::filesystem::path file);

  /// Returns the links of the pair on this line of the text, in Pharaoh format, sorted. The lines
  /// of calls must ascend. Throws DataError if a line up to there is malformed, if a link is beyond
  /// the words of the pair, or if the file ends before; Interrupted if a signal arrives.
  std::string next(std::int64_t line, const std::string& source, const std::string& target);
  /// Reads the rest. Throws DataError as next() does, and unless the file has a line for each line
  /// of the text, whose last pair is on line `last`, and of which `skipped` lines have no pair.
  void require_end(std::int64_t last, std::int64_t skipped);

 private:
  std::optional<WordAlignment> read();
  std::string place() const;

  ParallelFiles files_;
  std::filesystem::path file_;
  LineReader lines_;
};

/// Returns links in Pharaoh format with source and target exchanged.
std::string exchanged_links(const std::string& links);

/// Reads the links of each pair of a text, from a plain or compressed file: of the text itself if
/// text.files.has_links, where a line without a third field has no links. Returns them in Pharaoh
/// format, sorted; possible links are links. Throws DataError if the file can't be read, if a line
/// is malformed or links words that its pair does not have, or if the file does not have a line for
/// each line of the text; Interrupted if a signal arrives.
std::vector<std::string> read_pair_alignments(const ParallelText& text,
                                              const std::filesystem::path& file);

/// Reads the gold alignments of a text, one for each of its lines. Throws DataError as
/// read_pair_alignments does.
std::vector<GoldAlignment> read_gold_alignments(const ParallelText& text,
                                                const std::filesystem::path& file);

}  // namespace tfm
