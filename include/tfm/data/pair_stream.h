// Reads the pairs of a parallel text that can be trained on, one after the other, in constant
// memory. A pair with invalid UTF-8 or a side without text, and a TSV line with too few or too
// many fields, are skipped and counted, or rejected if bad_lines is `error`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/data/corpus.h"

namespace tfm {

class PairStream {
 public:
  /// Throws DataError if a file can't be opened.
  PairStream(ParallelFiles files, BadLines bad_lines);
  ~PairStream();

  /// Reads the next usable pair; returns false at the end. Throws DataError if a file is empty or
  /// can't be read, if only one of two files ends, and for a bad line if bad_lines is `error`.
  bool next(std::string& source, std::string& target);
  /// Returns the number of lines read so far, which is the line, from 1, of the last pair.
  std::int64_t line() const;
  /// Returns the share of the input that has been read, from 0 to 1, or nullopt if the size of the
  /// input is unknown.
  std::optional<double> share_read() const;
  /// Returns the skips since the last call.
  std::vector<Skipped> take_skipped() { return std::exchange(skipped_, {}); }

 private:
  struct Input;

  bool read(std::string& source, std::string& target);
  void skip(const std::string& reason, const std::filesystem::path& file);

  ParallelFiles files_;
  BadLines bad_lines_;
  std::unique_ptr<Input> input_;
  std::vector<Skipped> skipped_;
};

/// Throws DataError, with what was skipped, if a text has no pairs.
void require_pairs(std::int64_t pairs, const ParallelFiles& files,
                   const std::vector<Skipped>& skipped);

}  // namespace tfm
