#include "tfm/data/packed_examples.h"

#include <algorithm>

namespace tfm {

std::uint64_t ExampleIndex::offset_of(std::size_t example) const {
  std::uint64_t offset = offsets[example / block];
  for (std::size_t i = 2 * (example / block * block); i < 2 * example; ++i) offset += lengths[i];
  return offset;
}

std::int64_t ExampleIndex::line_of(std::size_t example) const {
  const auto next = std::ranges::upper_bound(runs, example, {}, &LineRun::first);
  const LineRun& run = *(next - 1);
  // Line 0 stands for an unknown line, also for all examples that follow it.
  return run.line == 0 ? 0 : static_cast<std::int64_t>(run.line + example - run.first);
}

void PackedExamples::push_back(const Example& example) {
  if (size() % ExampleIndex::block == 0) offsets_.push_back(ids_.size());
  const bool continues = last_line_ == 0 ? example.line == 0 : example.line == last_line_ + 1;
  if (last_line_ < 0 || !continues)
    runs_.push_back({size(), static_cast<std::uint64_t>(example.line)});
  last_line_ = example.line;
  push_ids(example.source);
  push_ids(example.target);
}

void PackedExamples::push_ids(const TokenIds& ids) {
  for (const TokenId id : ids) ids_.push_back(static_cast<std::uint32_t>(id));
  lengths_.push_back(static_cast<std::uint32_t>(ids.size()));
}

Example PackedExamples::operator[](std::size_t i) const {
  const ExampleIndex index = this->index();
  const IntegerSpan all = ids_.span();
  const auto lengths = index.lengths_of(i);
  const auto* begin = static_cast<const std::byte*>(all.data) +
                      index.offset_of(i) * static_cast<std::size_t>(all.width);
  const auto count = static_cast<std::size_t>(lengths.source + lengths.target);
  return unpack({begin, count, all.width}, lengths, index.line_of(i));
}

Example unpack(const IntegerSpan& ids, const ExampleLengths& lengths, std::int64_t line) {
  Example example;
  const auto source = static_cast<std::size_t>(lengths.source);
  example.source.reserve(source);
  example.target.reserve(static_cast<std::size_t>(lengths.target));
  for (std::size_t i = 0; i < ids.count; ++i)
    (i < source ? example.source : example.target).push_back(static_cast<TokenId>(ids[i]));
  example.line = line;
  return example;
}

}  // namespace tfm
