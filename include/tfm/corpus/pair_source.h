// Reads pairs of sentences, in constant memory, from two parallel files, a TSV file or a TMX file.
// Each may be compressed (core/decoded_file.h). Reading follows the rules of training data
// (docs/data.md): LF or CRLF, a byte order mark is dropped, and unequal line counts are an error.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tfm {

/// A pair of sentences. Its sides need not be valid UTF-8.
struct CorpusPair {
  std::string source;
  std::string target;
  std::int64_t line = 0;   ///< where the pair begins in the file, from 1
  bool malformed = false;  ///< the place does not have exactly two sides; `source` has its text
  std::optional<double> score{};  ///< what the rule of a model that dropped the pair measured
};

/// Reads pairs one after the other.
class PairSource {
 public:
  virtual ~PairSource() = default;
  /// Reads the next pair; returns false at the end. Throws DataError (file, line) if the file can't
  /// be read or decompressed, or if only one of two files ends.
  virtual bool next(CorpusPair& pair) = 0;
  /// Returns the share of the input that has been read, from 0 to 1, or nullopt if its size is
  /// unknown.
  virtual std::optional<double> share_read() const = 0;
};

/// Reads the beginning of another source ahead, so that it can be examined before it is passed on.
class PairsReadAhead : public PairSource {
 public:
  /// Reads at most this number of pairs. If their text is long, they are fewer.
  PairsReadAhead(std::unique_ptr<PairSource> source, std::size_t pairs);

  /// The pairs that have been read and not yet been passed on.
  std::span<const CorpusPair> ahead() const { return std::span(pairs_).subspan(passed_on_); }

  bool next(CorpusPair& pair) override;
  std::optional<double> share_read() const override;

 private:
  std::unique_ptr<PairSource> source_;
  std::vector<CorpusPair> pairs_;
  std::size_t passed_on_ = 0;
};

/// Where pairs are read from.
struct PairFiles {
  std::vector<std::filesystem::path> files;  ///< two parallel files, or one TSV or TMX file
  std::string source_language;               ///< empty if unknown
  std::string target_language;
};

/// Finds the files that a command line names: two parallel files, a TSV or TMX file, or the prefix
/// of a Moses pair ("corpus" for corpus.de and corpus.en, each perhaps with the ending of a
/// compression). The languages may be empty; then they are taken from the endings of two files.
/// Throws ConfigError if the names do not fit.
PairFiles find_pair_files(const std::vector<std::filesystem::path>& names,
                          std::string source_language, std::string target_language);

/// Opens the files. A single file is TMX if its content begins as XML does, otherwise TSV. Throws
/// DataError if a file can't be opened, and ConfigError if a TMX file needs languages and has none.
std::unique_ptr<PairSource> open_pairs(const PairFiles& files);

}  // namespace tfm
