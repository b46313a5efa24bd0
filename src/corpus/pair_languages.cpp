#include "tfm/corpus/pair_languages.h"

#include <map>
#include <string>

#include "tfm/corpus/text_facts.h"

namespace tfm {
namespace {

constexpr std::int64_t least_sides = 100;
// With more, the sides of newstest2013 and Multi30k are judged alike.
constexpr std::size_t most_ngrams = 8'000;
constexpr double certain = 0.99;

bool can_learn_from(std::string_view text, const Language& language) {
  const TextFacts facts = count_facts(text);
  if (!facts.valid_utf8 || facts.letters < letters_to_learn_from) return false;
  return !can_identify(language.code) ||
         identify_language(text, language.code).code == identified_code(language.code);
}

}  // namespace

LanguageIdentifier learn_languages(std::span<const CorpusPair> pairs, const Language& source,
                                   const Language& target) {
  const bool are_known = !source.code.empty() && !target.code.empty();
  if (!are_known || identified_code(source.code) == identified_code(target.code)) return {};
  std::map<std::string, LetterNgramCounts> counts;
  std::map<std::string, std::int64_t> sides;
  const auto learn = [&](const std::string& text, const Language& language) {
    if (!can_learn_from(text, language)) return;
    counts[language.code].add(text);
    ++sides[language.code];
  };
  for (const CorpusPair& pair : pairs) {
    if (pair.malformed || pair.source == pair.target) continue;
    learn(pair.source, source);
    learn(pair.target, target);
  }
  for (const auto* language : {&source, &target}) {
    if (sides[language->code] < least_sides) return {};
    counts[language->code].keep_most_frequent(most_ngrams);
  }
  return LanguageIdentifier(counts);
}

bool is_in_other_language(std::string_view text, const Language& own,
                          const PairLanguages& languages) {
  const auto probable =
      languages.ngrams.identify(text, {languages.source.code, languages.target.code});
  const bool is_certain = !probable.empty() && probable.front().probability > certain;
  if (is_certain && probable.front().language == own.code) return false;
  const auto found = identify_language(text, own.code).code;
  return found.empty() ? is_certain : found != identified_code(own.code);
}

}  // namespace tfm
