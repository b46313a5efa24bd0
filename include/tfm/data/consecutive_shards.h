// Shards of a text, one after the other. An index into the text, or a line of it, leads to the
// shard and to the index or line there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace tfm {

/// The shards of one text. ShardType is Shard or TextShard.
template <class ShardType>
class ConsecutiveShards {
 public:
  /// A shard and its place in the text.
  struct Part {
    std::shared_ptr<const ShardType> shard;
    std::int64_t line_offset = 0;  ///< the number of lines of the text before the shard's part
    std::size_t begin = 0;         ///< the index of its first example
    std::size_t end = 0;

    const ShardType* operator->() const { return shard.get(); }
  };

  /// Appends a shard, before whose part `line_offset` lines of the text come.
  void append(std::shared_ptr<const ShardType> shard, std::int64_t line_offset) {
    const std::size_t begin = size();
    const std::size_t end = begin + shard->size();
    parts_.push_back({std::move(shard), line_offset, begin, end});
  }

  /// Returns the number of examples.
  std::size_t size() const { return parts_.empty() ? 0 : parts_.back().end; }
  const std::vector<Part>& parts() const { return parts_; }

  /// Returns the part with the example i < size().
  const Part& with_index(std::size_t i) const {
    return *std::ranges::upper_bound(parts_, i, {}, &Part::end);
  }
  /// Returns the part with a line of the text, which must be that of an example.
  const Part& with_line(std::int64_t line) const {
    return *std::prev(std::ranges::lower_bound(parts_, line, {}, &Part::line_offset));
  }

 private:
  std::vector<Part> parts_;
};

}  // namespace tfm
