// Identifies the language of a text among languages whose n-grams are known. A language gives each
// character a probability that depends on the characters before it (n-gram model with Witten-Bell
// smoothing; Dunning 1994, Statistical Identification of Language). An unknown language has the
// letters of the known ones in any order, and rarely others: text whose letters do not follow each
// other as in one of the known languages is in none of them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tfm/text/ngram_counts.h"

namespace tfm {

/// The probabilities of characters in a language.
class LanguageModel {
 public:
  explicit LanguageModel(const NgramCounts& counts);

  /// Returns the probability of the character before `end`, given as many of those before it as
  /// an n-gram of this length has besides it.
  double probability(const LetterText& text, std::size_t end, std::size_t length) const;

 private:
  struct Entry {
    double count = 0;      // of this n-gram
    double followed = 0;   // sum of the counts of longer n-grams that begin with it
    double followers = 0;  // number of these
  };

  TextMap<Entry> entries_;  // all n-grams, and the empty one
};

struct LanguageProbability {
  std::string language;
  double probability = 0;  ///< from 0 to 1
};

class LanguageIdentifier {
 public:
  LanguageIdentifier() = default;  ///< knows no language
  explicit LanguageIdentifier(const std::map<std::string, NgramCounts>& languages);

  /// Returns those of `languages`, which are different, that are known, the most probable first.
  /// Their probabilities sum up to at most 1; the rest is that of all other languages. A text
  /// without letters suggests none. Only the beginning of a long text counts.
  std::vector<LanguageProbability> identify(std::string_view text,
                                            const std::vector<std::string>& languages) const;

 private:
  std::map<std::string, LanguageModel> models_;
};

}  // namespace tfm
