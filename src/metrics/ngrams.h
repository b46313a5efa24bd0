// N-gram matching, shared by BLEU (a symbol is a numbered word) and chrF (a symbol is a code
// point).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tfm {

struct NgramCounts {
  std::int64_t hypothesis = 0;  ///< n-grams in the hypothesis
  std::int64_t reference = 0;   ///< n-grams in the reference
  /// n-grams of the hypothesis found in the reference, each at most as often as it stands there
  std::int64_t matches = 0;
};

/// Counts of one line pair: orders[i] of order i + 1.
void count_ngrams(std::u32string_view hypothesis, std::u32string_view reference,
                  std::span<NgramCounts> orders);

}  // namespace tfm
