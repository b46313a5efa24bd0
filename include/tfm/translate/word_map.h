// Maps the words of a tokenizer, which word alignments refer to, to words separated by white space.
// The two kinds of words are usually the same. They differ if a word has no token in the
// vocabulary, or if SentencePiece drops a word or splits it in two ("½" into "1", "⁄2").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tfm/tokenizer/tokenizer.h"
#include "tfm/translate/translation.h"

namespace tfm {

/// A word of a translation, according to the target tokenizer.
struct TargetWord {
  std::string text;      ///< the decoded text; may be empty or contain white space
  bool unknown = false;  ///< true if a token of the word is the unknown token
  /// index of the aligned source word among the words separated by white space; -1 if the word is
  /// not aligned
  std::int64_t source = -1;
  /// sum of the log-probabilities of the word's tokens; 0 if the candidate has none
  double log_prob = 0;
};

/// Returns the words of a candidate, whose alignment must be set. `source` is the source line of
/// the translation.
std::vector<TargetWord> target_words(const TokenizerPair& tokenizers, std::string_view source,
                                     const Candidate& candidate);

/// Returns the links between white-space-separated words of the source line and of the texts of
/// `words`.
WordAlignment text_links(const std::vector<TargetWord>& words);

/// Returns, for each word that the tokenizer finds in the text, the index of the
/// white-space-separated word that contains it.
std::vector<std::int64_t> text_word_ids(const Tokenizer& tokenizer, std::string_view text);

/// Returns the links between white-space-separated words for an alignment of tokenizers' words, of
/// which text_word_ids returned `source` and `target`.
WordAlignment text_links(const WordAlignment& links, const std::vector<std::int64_t>& source,
                         const std::vector<std::int64_t>& target);

/// Returns, for each white-space-separated word in the texts of `words`, the index of the aligned
/// source word, or -1.
std::vector<std::int64_t> source_word_ids(const std::vector<TargetWord>& words);

/// Returns the white-space-separated words in the texts of `words`. Those of one tokenizer's word
/// share its probability.
std::vector<AlignedWord> aligned_words(const std::vector<TargetWord>& words);

}  // namespace tfm
