// Word alignments count the words that tokens make up. These are the words between white space of a
// line and of its translation in most cases, but not in all: a word that the vocabulary lacks may
// have no token, and SentencePiece may divide one word into two ("½" into "1", "⁄2") or make none
// of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tfm/tokenizer/tokenizer.h"
#include "tfm/translate/translation.h"

namespace tfm {

/// A word of a translation, as its tokens make it up.
struct TargetWord {
  std::string text;      ///< decoded; may be empty or hold white space
  bool unknown = false;  ///< one of its tokens is the unknown token
  /// the word between white space of the source that it is aligned to, or -1
  std::int64_t source = -1;
};

/// Of a candidate whose alignment is filled. source: the line that was translated.
std::vector<TargetWord> target_words(const TokenizerPair& tokenizers, std::string_view source,
                                     const Candidate& candidate);

/// For each word between white space of the words' texts, the word of the source.
std::vector<std::int64_t> sources_of_text(const std::vector<TargetWord>& words);

}  // namespace tfm
