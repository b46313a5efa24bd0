// Replaces unknown words in a translation (words that contain the unknown token) by the aligned
// source word, or by the entry of that source word in a dictionary. Names and numbers are therefore
// copied from the source. See Luong et al. 2015, "Addressing the Rare Word Problem", and Jean et
// al. 2015.
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
  /// Reads a dictionary with one entry per line: a source word, a tab, its translation. If a word
  /// occurs twice, the later entry is used. Empty lines are ignored. With an empty path, there is
  /// no dictionary. Throws DataError, with file and line, if a line is not an entry, or if the file
  /// cannot be read.
  explicit UnknownWordReplacer(const std::filesystem::path& dictionary = {});

  /// Replaces each unknown word by the dictionary entry of the source word that it is aligned to,
  /// or by that source word if it has no entry. An unknown word without alignment keeps its decoded
  /// text, which is usually empty. `source` is the source line of the translation.
  void replace(std::vector<TargetWord>& words, std::string_view source) const;

 private:
  std::map<std::string, std::string, std::less<>> dictionary_;
};

/// Returns true if the candidate contains the unknown token.
bool has_unknown(const TokenizerPair& tokenizers, const Candidate& candidate);

/// Joins the words with spaces, skipping empty ones.
std::string join_words(const std::vector<TargetWord>& words);

}  // namespace tfm
