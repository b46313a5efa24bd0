// A part of a corpus in a file: its examples, packed (packed_examples.h), and what their encoding
// has counted. The file is in the safetensors format, so that other programs can read it, and
// contains a checksum. Lengths and line numbers are mapped into memory. Token ids are read when an
// example is, so memory does not grow with the corpus; the system keeps recently read ones.
// Lines are counted from the start of the part, so that a shard can be reused if lines are inserted
// before its part.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "tfm/data/corpus.h"
#include "tfm/data/example.h"

namespace tfm {

class Shard {
 public:
  /// Opens the file. Throws DataError, naming the file, if it is not a complete shard.
  explicit Shard(std::filesystem::path file);
  ~Shard();
  Shard(const Shard&) = delete;
  Shard& operator=(const Shard&) = delete;

  /// Reads the complete file. Throws DataError if it differs from what was written.
  void verify() const;

  std::size_t size() const;
  ExampleLengths lengths(std::size_t i) const;
  std::int64_t line(std::size_t i) const;
  /// Returns an example, whose line is counted from the start of the part. Throws DataError if the
  /// file can't be read.
  Example operator[](std::size_t i) const;
  /// Returns what was counted, with the text's files and `line_offset` lines before the part.
  /// `examples` is empty.
  Corpus counts(const ParallelFiles& files, std::int64_t line_offset) const;

 private:
  struct Content;
  std::unique_ptr<const Content> content_;
};

/// Writes a part of a corpus, whose examples are in memory and whose lines are counted from the
/// start of the part. `files` are those that the corpus names in `skipped`. Throws ModelError if
/// the file can't be written.
void write_shard(const std::filesystem::path& file, const Corpus& part, const ParallelFiles& files);

}  // namespace tfm
