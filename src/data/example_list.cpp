#include "tfm/data/example_list.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "tfm/data/shard.h"

namespace tfm {

void ExampleList::append(std::shared_ptr<const Shard> shard, std::int64_t line_offset) {
  if (memory_.size() > 0) throw std::logic_error("a shard after examples in memory");
  const std::size_t begin = in_shards();
  const std::size_t end = begin + shard->size();
  parts_.push_back({std::move(shard), line_offset, begin, end});
}

void ExampleList::append(const ExampleList& list) {
  for (const Part& part : list.parts_) append(part.shard, part.line_offset);
  for (std::size_t i = 0; i < list.memory_.size(); ++i) memory_.push_back(list.memory_[i]);
}

const ExampleList::Part& ExampleList::part_with(std::size_t i) const {
  return *std::ranges::upper_bound(parts_, i, {}, &Part::end);
}

Example ExampleList::operator[](std::size_t i) const {
  if (i >= in_shards()) return memory_[i - in_shards()];
  const Part& part = part_with(i);
  Example example = (*part.shard)[i - part.begin];
  if (example.line > 0) example.line += part.line_offset;
  return example;
}

ExampleLengths ExampleList::lengths(std::size_t i) const {
  if (i >= in_shards()) return memory_.lengths(i - in_shards());
  const Part& part = part_with(i);
  return part.shard->lengths(i - part.begin);
}

}  // namespace tfm
