#include "tfm/corpus/pair_languages.h"

#include <algorithm>
#include <functional>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include "tfm/corpus/text_facts.h"

namespace tfm {
namespace {

constexpr std::int64_t least_letters = 20;
constexpr std::size_t least_sides = 200;
constexpr std::size_t tested = 10;        // each tenth side is not counted: it tests the counts
constexpr double share_of_unusual = 0.1;  // of the text of a language
constexpr double certain = 0.99;

bool can_learn_from(std::string_view text, const Language& language) {
  const TextFacts facts = count_facts(text);
  if (!facts.valid_utf8 || facts.letters < least_letters) return false;
  return !can_identify(language.code) ||
         identify_language(text, language.code).code == identified_code(language.code);
}

/// Returns the sides of the pairs that are text in their language.
std::vector<std::string_view> sides_to_learn_from(std::span<const CorpusPair> pairs,
                                                  std::string CorpusPair::* side,
                                                  const Language& language) {
  std::vector<std::string_view> sides;
  for (const CorpusPair& pair : pairs) {
    const bool is_text = !pair.malformed && pair.source != pair.target;
    if (is_text && can_learn_from(pair.*side, language)) sides.push_back(pair.*side);
  }
  return sides;
}

LetterNgramCounts count(const std::vector<std::string_view>& sides) {
  LetterNgramCounts counts;
  for (std::size_t i = 0; i < sides.size(); ++i)
    if (i % tested != 0) counts.add(sides[i]);
  counts.keep_most_frequent(most_ngrams);
  return counts;
}

/// Returns what LearnedLanguages::usual has of a language, by the sides that were not counted.
double measure_usual(const std::vector<std::string_view>& sides, const std::string& language,
                     const LanguageIdentifier& ngrams) {
  std::vector<double> measured;
  for (std::size_t i = 0; i < sides.size(); i += tested)
    measured.push_back(ngrams.identify(sides[i], {language}).front().per_letter);
  const auto unusual =
      static_cast<std::ptrdiff_t>(share_of_unusual * static_cast<double>(measured.size()));
  std::ranges::nth_element(measured, measured.begin() + unusual);
  return measured[static_cast<std::size_t>(unusual)];
}

/// Returns whether CLD2 is certain that a text is in another language than its own. It cannot find
/// a language that it does not know, and takes its text for all kinds of languages.
bool is_in_other_by_cld2(std::string_view text, const Language& own, const Language& other) {
  const auto found = identify_language(text, own.code).code;
  if (!can_identify(own.code)) return !found.empty() && found == identified_code(other.code);
  return !found.empty() && found != identified_code(own.code);
}

}  // namespace

LearnedLanguages learn_languages(std::span<const CorpusPair> pairs, const Language& source,
                                 const Language& target) {
  const bool are_known = !source.code.empty() && !target.code.empty();
  if (!are_known || identified_code(source.code) == identified_code(target.code)) return {};
  const auto learn = [pairs](std::string CorpusPair::* side, const Language& language) {
    auto sides = sides_to_learn_from(pairs, side, language);
    auto counts = count(sides);
    return std::pair(std::move(sides), std::move(counts));
  };
  auto beside = std::async(std::launch::async, learn, &CorpusPair::source, std::cref(source));
  const auto [targets, target_counts] = learn(&CorpusPair::target, target);
  const auto [sources, source_counts] = beside.get();
  if (std::min(sources.size(), targets.size()) < least_sides) return {};
  const LanguageIdentifier ngrams({{source.code, source_counts}, {target.code, target_counts}});
  return {ngrams,
          {{source.code, measure_usual(sources, source.code, ngrams)},
           {target.code, measure_usual(targets, target.code, ngrams)}}};
}

bool is_in_other_language(std::string_view text, const Language& own,
                          const PairLanguages& languages) {
  const auto& [source, target, learned] = languages;
  const auto& other = own.code == source.code ? target : source;
  const auto probable = learned.ngrams.identify(text, {source.code, target.code});
  if (probable.empty() || probable.front().probability <= certain)
    return is_in_other_by_cld2(text, own, other);
  const auto& [language, probability, per_letter] = probable.front();
  if (language != own.code)
    return identify_language(text, own.code).code != identified_code(own.code);
  return per_letter < learned.usual.at(language) && is_in_other_by_cld2(text, own, other);
}

}  // namespace tfm
