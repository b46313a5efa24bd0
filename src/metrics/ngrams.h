// Matches n-grams for BLEU, whose symbols are numbered words, and for chrF, whose symbols are code
// points.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tfm {

struct NgramCounts {
  std::int64_t hypothesis = 0;  ///< n-grams in the hypothesis
  std::int64_t reference = 0;   ///< n-grams in the reference
  /// n-grams of the hypothesis that are in the reference, counted at most as often as they occur
  /// there
  std::int64_t matches = 0;
};

/// Counts the n-grams of a line and its reference; orders[i] receives the counts of order i + 1.
void count_ngrams(std::u32string_view hypothesis, std::u32string_view reference,
                  std::span<NgramCounts> orders);

}  // namespace tfm
