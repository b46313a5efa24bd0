#include "tfm/data/numbered_pairs.h"

#include <algorithm>
#include <utility>

#include "tfm/data/text_shard.h"

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

void PairsInShards::append(std::shared_ptr<const TextShard> shard, std::int64_t line_offset) {
  if (shard->size() == 0) return;  // a part without usable pairs
  const std::size_t begin = size();
  const std::size_t end = begin + shard->size();
  parts_.push_back({std::move(shard), line_offset, begin, end});
}

TextPair PairsInShards::operator[](std::size_t i) const {
  const Part& part = *std::ranges::upper_bound(parts_, i, {}, &Part::end);
  return (*part.shard)[i - part.begin];
}

std::size_t PairsInShards::index_of(std::int64_t line) const {
  const auto next = std::ranges::lower_bound(parts_, line, {}, &Part::line_offset);
  const Part& part = *(next - 1);
  return part.begin + part.shard->index_of(line - part.line_offset);
}

}  // namespace tfm
