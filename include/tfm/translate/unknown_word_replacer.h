// Words that a model has no token for: the unknown token in a translation gives way to the source
// word that it is aligned to, or to that word's translation in a dictionary (Luong et al. 2015,
// "Addressing the Rare Word Problem"; Jean et al. 2015). Names and numbers come through so.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tfm/translate/word_map.h"

namespace tfm {

class UnknownWordReplacer {
 public:
  /// dictionary: lines of a source word, a tab, its translation; of two lines for a word the later
  /// counts. Empty: none. Throws DataError (file, line).
  explicit UnknownWordReplacer(const std::filesystem::path& dictionary = {});

  /// Each unknown word becomes what stands for the source word that it is aligned to; one without a
  /// source word is left out. source: the line that was translated.
  void replace(std::vector<TargetWord>& words, std::string_view source) const;

 private:
  std::map<std::string, std::string, std::less<>> dictionary_;
};

/// Whether the unknown token is in the candidate.
bool has_unknown(const TokenizerPair& tokenizers, const Candidate& candidate);

/// The words joined by spaces.
std::string joined_text(const std::vector<TargetWord>& words);

}  // namespace tfm
