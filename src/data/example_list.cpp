#include "tfm/data/example_list.h"

#include <stdexcept>
#include <utility>

#include "tfm/data/shard.h"

namespace tfm {

void ExampleList::append(std::shared_ptr<const Shard> shard, std::int64_t line_offset) {
  if (memory_.size() > 0) throw std::logic_error("a shard after examples in memory");
  shards_.append(std::move(shard), line_offset);
}

void ExampleList::append(const ExampleList& list) {
  for (const auto& part : list.shards_.parts()) append(part.shard, part.line_offset);
  for (std::size_t i = 0; i < list.memory_.size(); ++i) memory_.push_back(list.memory_[i]);
}

void ExampleList::enter(std::shared_ptr<const WindowExamples> window) {
  previous_window_ = window->has_all() ? nullptr : std::move(window_);
  window_ = std::move(window);
}

const WindowExamples* ExampleList::window_with(std::size_t i) const {
  for (const auto* window : {window_.get(), previous_window_.get()})
    if (window != nullptr && window->has(i)) return window;
  return nullptr;
}

std::int64_t ExampleList::line(std::size_t i) const {
  if (i >= shards_.size()) return memory_.index().line_of(i - shards_.size());
  const auto& part = shards_.with_index(i);
  const auto line = part->line(i - part.begin);
  return line > 0 ? line + part.line_offset : line;
}

Example ExampleList::unchanged(std::size_t i) const {
  if (i >= shards_.size()) return memory_[i - shards_.size()];
  const auto& part = shards_.with_index(i);
  Example example = (*part.shard)[i - part.begin];
  if (example.line > 0) example.line += part.line_offset;
  return example;
}

Example ExampleList::operator[](std::size_t i) const {
  const auto* window = window_with(i);
  auto changed = window != nullptr ? window->find(i) : std::nullopt;
  return changed ? *std::move(changed) : unchanged(i);
}

ExampleLengths ExampleList::lengths(std::size_t i) const {
  const auto* window = window_with(i);
  if (const auto changed = window != nullptr ? window->find_lengths(i) : std::nullopt)
    return *changed;
  if (i >= shards_.size()) return memory_.lengths(i - shards_.size());
  const auto& part = shards_.with_index(i);
  return part->lengths(i - part.begin);
}

}  // namespace tfm
