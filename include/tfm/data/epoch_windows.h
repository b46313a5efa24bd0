// Divides epochs into windows: a random permutation of the corpus (permutation.h), or of what the
// epoch draws from its sets (mixture.h), cut into parts. Which pairs a window has depends only on
// the sizes of the sets, the options, the epoch and the window, so nothing is stored, and the next
// window is known ahead.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "tfm/data/batcher_options.h"

namespace tfm {

/// A window of an epoch, both counted from 0.
struct Window {
  std::int64_t epoch = -1;
  std::int64_t index = 0;

  bool operator==(const Window&) const = default;
};

class EpochWindows {
 public:
  EpochWindows(const Corpus& corpus, const BatcherOptions& options);

  /// Returns the number of windows in an epoch.
  std::int64_t count(std::int64_t epoch) const;
  /// Returns the examples of a window in ascending order. One that is drawn twice is there twice.
  /// Each window has the same share of the draws from each set, to within one.
  std::vector<std::int64_t> items(Window window) const;
  /// Returns the window that follows.
  Window after(Window window) const;
  /// Returns whether the corpus has no more examples than a window may have.
  bool corpus_fits() const;

 private:
  Mixture mixture_;
  std::int64_t window_size_;
  std::uint64_t seed_;
  bool shuffle_;
};

/// Returns the 32-bit words of a seed.
std::vector<std::uint32_t> seed_words(std::initializer_list<std::uint64_t> numbers);

}  // namespace tfm
