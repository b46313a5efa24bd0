// Reads a parallel text part by part. A part ends where its text says so: behind a pair whose hash
// has a certain value, within limits of size. A change of the text therefore changes only the parts
// around it, and the others keep their shards (shard_cache.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tfm/data/corpus.h"
#include "tfm/data/pair_alignments.h"
#include "tfm/data/pair_stream.h"

namespace tfm {

/// How large a part is: at least `least` bytes of text, on average `pairs` pairs more, and no
/// further pair once it has `most` bytes. The limits bound the memory that preparation needs.
struct PartSizes {
  std::size_t least = std::size_t{16} << 20;
  std::size_t most = std::size_t{64} << 20;
  std::size_t pairs = std::size_t{1} << 17;
};

/// The bytes of one side of a text, with a line feed after each line.
struct TextSum {
  std::uint32_t crc = 0;
  std::int64_t bytes = 0;

  /// Adds a line and its line feed.
  void add(std::string_view line);
  /// Adds the lines that follow.
  void append(const TextSum& next);
};

struct TextPart {
  ParallelText text;               ///< its lines are counted from the start of the part
  std::int64_t line_offset = 0;    ///< the number of lines before the part
  std::vector<Skipped> skipped{};  ///< what was skipped while the part was read
  TextSum source{};
  TextSum target{};
  TextSum links{};  ///< of the links between words, if they are read
};

class TextParts {
 public:
  /// If `reversed` is set, source and target of every pair are exchanged after it has been read.
  /// `links` names the file of the links between words (pair_alignments.h); it may be empty. Throws
  /// DataError if a file can't be opened.
  TextParts(const ParallelFiles& files, BadLines bad_lines, bool reversed = false,
            PartSizes sizes = {}, const std::filesystem::path& links = {});

  /// Reads the next part; returns nullopt at the end. Throws DataError as PairStream::next and
  /// LinkReader do, and Interrupted if a signal arrives.
  std::optional<TextPart> next();
  std::optional<double> share_read() const { return pairs_.share_read(); }

 private:
  ParallelFiles files_;
  bool reversed_;
  PartSizes sizes_;
  PairStream pairs_;
  std::optional<LinkReader> links_;
  std::int64_t last_line_ = 0;  // of the pairs so far
  std::int64_t skipped_ = 0;    // lines so far
};

/// Returns the files of the same text with source and target exchanged.
ParallelFiles exchanged(const ParallelFiles& files);

}  // namespace tfm
