// A word of a translation, separated by white space, with its probability and the source word that
// it translates.
#pragma once

#include <cstdint>
#include <string>

namespace tfm {

struct AlignedWord {
  std::string text;
  /// the probability of the word's tokens, given the words before it
  double probability = 0;
  /// index of the aligned word among the white-space-separated words of the source; -1 if the word
  /// is not aligned
  std::int64_t source = -1;

  bool operator==(const AlignedWord&) const = default;
};

}  // namespace tfm
