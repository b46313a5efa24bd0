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

std::size_t ExampleIndex::example_of(std::int64_t line) const {
  const auto wanted = static_cast<std::uint64_t>(line);
  const auto next = std::ranges::upper_bound(runs, wanted, {}, &LineRun::line);
  const LineRun& run = *(next - 1);
  return run.first + (wanted - run.line);
}

void PackedIndex::push_back(const ExampleLengths& lengths, std::int64_t line) {
  if (size() % ExampleIndex::block == 0) offsets_.push_back(end_);
  const bool continues = last_line_ == 0 ? line == 0 : line == last_line_ + 1;
  if (last_line_ < 0 || !continues) runs_.push_back({size(), static_cast<std::uint64_t>(line)});
  last_line_ = line;
  lengths_.push_back(static_cast<std::uint32_t>(lengths.source));
  lengths_.push_back(static_cast<std::uint32_t>(lengths.target));
  end_ += static_cast<std::uint64_t>(lengths.source + lengths.target);
}

void PackedExamples::push_back(const Example& example) {
  index_.push_back(example.lengths(), example.line);
  for (const auto* ids : {&example.source, &example.target})
    for (const TokenId id : *ids) ids_.push_back(static_cast<std::uint32_t>(id));
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
