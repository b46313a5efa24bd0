// Matches n-grams for BLEU, whose symbols are numbered words, and for chrF, whose symbols are code
// points.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tfm {

struct NgramCounts {
  std::int64_t hypothesis = 0;  ///< n-grams in the hypothesis
  std::int64_t reference = 0;   ///< n-grams in the reference
  /// n-grams of the hypothesis that are in the reference, counted at most as often as they occur
  /// there
  std::int64_t matches = 0;
};

/// Maps words to numbers, so that n-grams of words compare as fast as n-grams of characters. Texts
/// are comparable if the same object numbered their words.
class WordNumbers {
 public:
  std::u32string number(const std::vector<std::string_view>& words);

 private:
  std::unordered_map<std::string, char32_t> numbers_;
};

/// Counts the n-grams of a line and its references; orders[i] receives the counts of order i + 1.
/// With several references, an n-gram counts as often as it occurs in one of them at most.
void count_ngrams(std::u32string_view hypothesis, std::u32string_view reference,
                  std::span<NgramCounts> orders);
void count_ngrams(std::u32string_view hypothesis, const std::vector<std::u32string>& references,
                  std::span<NgramCounts> orders);

}  // namespace tfm
