#include "tfm/data/numbered_pairs.h"

#include <algorithm>

namespace tfm {

TextPair PairsInMemory::operator[](std::size_t i) const {
  const auto pair = begin_ + i;
  return {text_.source[pair], text_.target[pair],
          text_.alignments.empty() ? WordAlignment()
                                   : parse_word_links(text_.alignments[pair], "data.alignments")};
}

std::size_t PairsInMemory::index_of(std::int64_t line) const {
  const auto first = text_.line.begin() + static_cast<std::ptrdiff_t>(begin_);
  const auto last = text_.line.begin() + static_cast<std::ptrdiff_t>(end_);
  return static_cast<std::size_t>(std::lower_bound(first, last, line) - first);
}

TextPair PairsInShards::operator[](std::size_t i) const {
  const auto& part = shards_.with_index(i);
  return (*part.shard)[i - part.begin];
}

std::size_t PairsInShards::index_of(std::int64_t line) const {
  const auto& part = shards_.with_line(line);
  return part.begin + part->index_of(line - part.line_offset);
}

}  // namespace tfm
