// Identifies the language of a text among languages whose n-grams are known (language_models.h).
// Text whose letters do not follow each other as in one of them is in an unknown language.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tfm/text/language_models.h"

namespace tfm {

struct LanguageProbability {
  std::string language;
  double probability = 0;  ///< from 0 to 1
  double per_letter = 0;   ///< geometric mean of the probabilities that the language gives letters
};

class LanguageIdentifier {
 public:
  LanguageIdentifier() = default;  ///< knows no language
  explicit LanguageIdentifier(const std::map<std::string, LetterNgramCounts>& languages);

  bool knows_languages() const { return !languages_.empty(); }

  /// Returns those of `languages`, which are different, that are known, the most probable first.
  /// Their probabilities sum up to at most 1; the rest is that of all other languages. A text
  /// without letters suggests none. Only the beginning of a long text counts.
  std::vector<LanguageProbability> identify(std::string_view text,
                                            const std::vector<std::string>& languages) const;

 private:
  std::vector<std::string> languages_;
  LanguageModels models_;  // in the same order
};

}  // namespace tfm
