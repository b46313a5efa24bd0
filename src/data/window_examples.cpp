#include "tfm/data/window_examples.h"

#include <algorithm>
#include <utility>

namespace tfm {

WindowExamples::WindowExamples(std::vector<std::int64_t> items,
                               std::vector<ChangedExamples> changed)
    : items_(std::move(items)), changed_(std::move(changed)) {
  std::erase_if(changed_, [](const ChangedExamples& part) { return part.indices.empty(); });
}

bool WindowExamples::has(std::size_t index) const {
  return has_all() || std::ranges::binary_search(items_, static_cast<std::int64_t>(index));
}

WindowExamples::Place WindowExamples::place_of(std::size_t index) const {
  const auto wanted = static_cast<std::int64_t>(index);
  const auto part = std::ranges::lower_bound(
      changed_, wanted, {}, [](const ChangedExamples& changed) { return changed.indices.back(); });
  if (part == changed_.end()) return {};
  const auto found = std::ranges::lower_bound(part->indices, wanted);
  if (*found != wanted) return {};
  return {&part->examples, static_cast<std::size_t>(found - part->indices.begin())};
}

std::optional<Example> WindowExamples::find(std::size_t index) const {
  const auto [examples, at] = place_of(index);
  return examples == nullptr ? std::nullopt : std::optional((*examples)[at]);
}

std::optional<ExampleLengths> WindowExamples::find_lengths(std::size_t index) const {
  const auto [examples, at] = place_of(index);
  return examples == nullptr ? std::nullopt : std::optional(examples->lengths(at));
}

}  // namespace tfm
