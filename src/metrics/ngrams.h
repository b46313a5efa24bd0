// N-gram matching, shared by BLEU (a symbol is a numbered word) and chrF (a symbol is a code point).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tfm {

struct NgramCounts {
  std::int64_t hypothesis = 0;  ///< n-grams in the hypothesis
  std::int64_t reference = 0;   ///< n-grams in the reference
  std::int64_t matches = 0;     ///< n-grams of the hypothesis found in the reference, each at most as often as it stands there
};

/// Counts of one line pair for one order (1, 2, ...).
NgramCounts count_ngrams(std::u32string_view hypothesis, std::u32string_view reference, std::size_t order);

}  // namespace tfm
