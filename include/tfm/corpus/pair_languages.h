// The languages of the two sides of a corpus, and the test whether a text is in the language of its
// side. The corpus itself teaches the n-grams of its two languages, which decide about usual text
// in them. CLD2 decides about all other text, because text in a similar language has similar
// n-grams.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "tfm/corpus/languages.h"
#include "tfm/corpus/pair_source.h"
#include "tfm/text/language_identifier.h"

namespace tfm {

struct LearnedLanguages {
  LanguageIdentifier ngrams{};  ///< of both languages; it may know none
  /// The LanguageProbability::per_letter that nine tenths of the text of each language exceed.
  std::map<std::string, double> usual{};
};

struct PairLanguages {
  Language source;
  Language target;
  LearnedLanguages learned{};
};

/// The pairs at the beginning of a corpus that learn_languages asks for.
inline constexpr std::size_t pairs_to_learn_from = 10'000;

/// Learns the n-grams of two languages from pairs. Only sides of at least 20 letters count that
/// CLD2 takes for their language, or whose language CLD2 does not know. The result knows no
/// language if the languages are unknown or not different, or if fewer than 200 sides of one of
/// them count.
LearnedLanguages learn_languages(std::span<const CorpusPair> pairs, const Language& source,
                                 const Language& target);

/// Returns true if valid UTF-8 text is certainly not in its own language, which is one of the two.
bool is_in_other_language(std::string_view text, const Language& own,
                          const PairLanguages& languages);

}  // namespace tfm
