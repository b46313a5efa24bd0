// Counts matching n-grams for BLEU and chrF. An n-gram is a sequence of symbols, which are either
// code points or words that have been mapped to numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tfm {

struct NgramCounts {
  std::int64_t hypothesis = 0;  ///< number of n-grams in the hypothesis
  std::int64_t reference = 0;   ///< number of n-grams in the reference or the pooled references
  /// number of n-grams of the hypothesis that are in the reference; each n-gram is counted at most
  /// as often as the reference contains it
  std::int64_t matches = 0;
};

/// Maps words to numbers, so that word n-grams are compared as fast as character n-grams. Texts can
/// be compared only if the same object has numbered their words.
class WordNumbers {
 public:
  std::u32string number(const std::vector<std::string_view>& words);

 private:
  std::unordered_map<std::string, char32_t> numbers_;
};

/// Counts the n-grams of a line and its references; orders[i] receives the counts of order i + 1.
/// Several references are pooled: each n-gram occurs in the pool as often as in the reference that
/// contains it most often.
void count_ngrams(std::u32string_view hypothesis, std::u32string_view reference,
                  std::span<NgramCounts> orders);
void count_ngrams(std::u32string_view hypothesis, const std::vector<std::u32string>& references,
                  std::span<NgramCounts> orders);

}  // namespace tfm
