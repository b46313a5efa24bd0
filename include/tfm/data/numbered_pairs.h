// The pairs of a text in one direction with their line numbers, in memory or in the cache. Runs
// whose modifiers or subword sampling encode the text again read it here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "tfm/data/consecutive_shards.h"
#include "tfm/data/corpus.h"
#include "tfm/data/text_shard.h"
#include "tfm/modifiers/text_modifiers.h"

namespace tfm {

class NumberedPairs : public TextPairs {
 public:
  /// Returns the index of the pair on this line, which must be that of a pair.
  virtual std::size_t index_of(std::int64_t line) const = 0;
};

/// The pairs [begin, end) of a text in memory, which must outlive this object.
class PairsInMemory final : public NumberedPairs {
 public:
  PairsInMemory(const ParallelText& text, std::size_t begin, std::size_t end)
      : text_(text), begin_(begin), end_(end) {}

  std::size_t size() const override { return end_ - begin_; }
  TextPair operator[](std::size_t i) const override;
  std::size_t index_of(std::int64_t line) const override;

 private:
  const ParallelText& text_;
  std::size_t begin_;
  std::size_t end_;
};

/// The pairs of a text in shards (text_shard.h). They are read when they are asked for.
class PairsInShards final : public NumberedPairs {
 public:
  /// Appends a shard, before whose part `line_offset` lines of the text come.
  void append(std::shared_ptr<const TextShard> shard, std::int64_t line_offset) {
    shards_.append(std::move(shard), line_offset);
  }

  std::size_t size() const override { return shards_.size(); }
  /// Throws DataError if the file can't be read.
  TextPair operator[](std::size_t i) const override;
  std::size_t index_of(std::int64_t line) const override;

 private:
  ConsecutiveShards<TextShard> shards_;
};

}  // namespace tfm
