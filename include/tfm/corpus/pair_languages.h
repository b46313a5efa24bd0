// The languages of the two sides of a corpus, and the test whether a text is in the language of its
// side. The corpus itself teaches the n-grams of its two languages: they decide about text that is
// certainly in one of them. CLD2 decides about all other text.
#pragma once

#include <span>
#include <string_view>

#include "tfm/corpus/languages.h"
#include "tfm/corpus/pair_source.h"
#include "tfm/text/language_identifier.h"

namespace tfm {

struct PairLanguages {
  Language source;
  Language target;
  LanguageIdentifier ngrams{};  ///< of both languages; it may know none
};

/// The pairs at the beginning of a corpus that learn_languages asks for.
inline constexpr std::size_t pairs_to_learn_from = 10'000;
/// A side with fewer letters is too short to learn from.
inline constexpr std::int64_t letters_to_learn_from = 20;

/// Learns the n-grams of two languages from pairs. Only sides count that CLD2 takes for their
/// language, or that are in a language that CLD2 does not know. The result knows no language if the
/// languages are unknown or not different, or if fewer than 100 sides of one of them count.
LanguageIdentifier learn_languages(std::span<const CorpusPair> pairs, const Language& source,
                                   const Language& target);

/// Returns true if valid UTF-8 text is certainly not in its own language, which is one of the two.
bool is_in_other_language(std::string_view text, const Language& own,
                          const PairLanguages& languages);

}  // namespace tfm
