// What a window of an epoch changes in the examples of a corpus: those that modifiers or subword
// sampling made differ from the examples of the unmodified text. Only these are stored, packed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tfm/data/packed_examples.h"

namespace tfm {

/// Changed examples, with their indices in the corpus in ascending order.
struct ChangedExamples {
  std::vector<std::int64_t> indices{};
  PackedExamples examples{};
};

class WindowExamples {
 public:
  /// `items` are the indices of the window's examples in ascending order, or empty if it has all
  /// examples of the corpus. `changed` are parts of the changed ones, in ascending order.
  WindowExamples(std::vector<std::int64_t> items, std::vector<ChangedExamples> changed);

  bool has_all() const { return items_.empty(); }
  bool has(std::size_t index) const;
  /// Returns the example if it has changed.
  std::optional<Example> find(std::size_t index) const;
  std::optional<ExampleLengths> find_lengths(std::size_t index) const;

 private:
  struct Place {
    const PackedExamples* examples = nullptr;  // nullptr if the example has not changed
    std::size_t at = 0;
  };
  Place place_of(std::size_t index) const;

  std::vector<std::int64_t> items_;
  std::vector<ChangedExamples> changed_;  // none is empty
};

}  // namespace tfm
