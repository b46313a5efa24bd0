#include "tfm/text/language_identifier.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace tfm {
namespace {

constexpr std::size_t most_letters = 2000;

/// Returns exp(x) for each x, divided by their sum.
std::vector<double> softmax(std::vector<double> values) {
  const double highest = *std::ranges::max_element(values);
  double sum = 0;
  for (double& value : values) sum += value = std::exp(value - highest);
  for (double& value : values) value /= sum;
  return values;
}

/// Returns the logarithm of the probability of the text in each language, and in another one, which
/// is the last.
std::vector<double> log_probabilities(const LetterText& text, const LanguageModels& models,
                                      const std::vector<std::size_t>& languages) {
  std::vector<double> logs(languages.size() + 1);
  auto before = models.find(text.before(1, 1), {});
  for (std::size_t end = 2; end <= std::min(text.size(), most_letters); ++end) {
    const auto place = models.find(text.before(end, std::min(end, longest_ngram)), before);
    for (std::size_t i = 0; i < languages.size(); ++i)
      logs[i] += models.log_probability(place, before, languages[i]);
    logs.back() += models.log_probability_elsewhere(place);
    before = place;
  }
  return logs;
}

}  // namespace

LanguageIdentifier::LanguageIdentifier(const std::map<std::string, LetterNgramCounts>& languages) {
  std::vector<LanguageModel> models;
  for (const auto& [language, counts] : languages) {
    languages_.push_back(language);
    models.emplace_back(counts);
  }
  models_ = LanguageModels(models);
}

std::vector<LanguageProbability> LanguageIdentifier::identify(
    std::string_view text, const std::vector<std::string>& languages) const {
  std::vector<std::size_t> known;
  std::vector<LanguageProbability> found;
  for (const auto& language : languages) {
    const auto place = std::ranges::find(languages_, language);
    if (place == languages_.end()) continue;
    known.push_back(static_cast<std::size_t>(place - languages_.begin()));
    found.push_back({language});
  }
  const LetterText letters(text);
  if (known.empty() || letters.size() == 1) return found;
  const auto logs = log_probabilities(letters, models_, known);
  const auto probabilities = softmax(logs);
  const auto count = static_cast<double>(std::min(letters.size(), most_letters) - 1);
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i].probability = probabilities[i];
    found[i].per_letter = std::exp(logs[i] / count);
  }
  std::ranges::stable_sort(found, std::greater(), &LanguageProbability::probability);
  return found;
}

}  // namespace tfm
