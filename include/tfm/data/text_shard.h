// The text of a part of a corpus in a file beside its shards (shard.h), for runs that encode it
// again in every epoch. It belongs to no vocabulary. Pairs are read on demand, and lines are
// counted from the start of the part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "tfm/data/corpus.h"
#include "tfm/modifiers/text_modifiers.h"

namespace tfm {

class TextShard {
 public:
  /// Opens the file. Throws DataError, naming the file, if it is not a complete shard.
  explicit TextShard(std::filesystem::path file);
  ~TextShard();
  TextShard(const TextShard&) = delete;
  TextShard& operator=(const TextShard&) = delete;

  /// Reads the complete file. Throws DataError if it differs from what was written.
  void verify() const;

  std::size_t size() const;
  /// Returns a pair, with the links between its words if they were written. Throws DataError if the
  /// file can't be read.
  TextPair operator[](std::size_t i) const;
  /// Returns the index of the pair on this line of the part, which must be that of a pair.
  std::size_t index_of(std::int64_t line) const;

 private:
  struct Content;
  std::unique_ptr<const Content> content_;
};

/// Writes the pairs of a part, whose lines are counted from the start of the part, and the links
/// between their words if it has them. Throws ModelError if the file can't be written.
void write_text_shard(const std::filesystem::path& file, const ParallelText& part);

}  // namespace tfm
