// Chooses a uniform sample of a sequence whose length is not known (reservoir sampling, algorithm
// R, Vitter 1985): after each item, every item so far is in the sample with the same probability.
// The choice depends only on the size of the sample and the number of items.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>

#include "tfm/core/uniform_random.h"

namespace tfm {

class Reservoir {
 public:
  /// The sample has at most `size` items.
  explicit Reservoir(std::size_t size) : size_(size) {}

  /// Returns where the next item goes in the sample: behind its items while it is not full, then in
  /// the place of one of them; nullopt if it is not chosen.
  std::optional<std::size_t> next() {
    const std::uint64_t item = items_++;
    if (item < size_) return item;
    const auto place = uniform_below(random_, items_);
    if (place >= size_) return std::nullopt;
    return place;
  }

 private:
  std::uint64_t size_;
  std::uint64_t items_ = 0;
  std::mt19937_64 random_{1};
};

}  // namespace tfm
