#include "tfm/text/language_identifier.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace tfm {
namespace {

constexpr double unseen_character = 1.0 / 65536;  // one of the basic multilingual plane
constexpr double share_of_other_letters = 0.01;   // in an unknown language
constexpr std::size_t most_characters = 2000;

/// Returns exp(x) for each x, divided by their sum.
std::vector<double> softmax(std::vector<double> values) {
  const double highest = *std::ranges::max_element(values);
  double sum = 0;
  for (double& value : values) sum += value = std::exp(value - highest);
  for (double& value : values) value /= sum;
  return values;
}

std::string without_last_character(std::string ngram) {
  const auto continues = [](char byte) { return (static_cast<unsigned char>(byte) >> 6U) == 2; };
  while (!ngram.empty() && continues(ngram.back())) ngram.pop_back();
  if (!ngram.empty()) ngram.pop_back();
  return ngram;
}

}  // namespace

LanguageModel::LanguageModel(const NgramCounts& counts) {
  for (const auto& [ngram, count] : counts.counts())
    entries_[ngram].count = static_cast<double>(count);
  for (const auto& [ngram, count] : counts.counts()) {
    Entry& history = entries_[without_last_character(ngram)];
    history.followed += static_cast<double>(count);
    history.followers += 1;
  }
}

double LanguageModel::probability(const LetterText& text, std::size_t end,
                                  std::size_t length) const {
  double probability = unseen_character;
  for (std::size_t n = 1; n <= std::min(length, end); ++n) {
    const auto history = entries_.find(text.before(end - 1, n - 1));
    if (history == entries_.end() || history->second.followers == 0) break;
    const auto& [count, followed, followers] = history->second;
    // Rare n-grams may be missing in the counts. They share their probability with unseen ones.
    const double missing = followers + std::max(0.0, count - followed);
    const auto found = entries_.find(text.before(end, n));
    const double own = found == entries_.end() ? 0 : found->second.count;
    probability = (own + missing * probability) / (followed + missing);
  }
  return probability;
}

LanguageIdentifier::LanguageIdentifier(const std::map<std::string, NgramCounts>& languages) {
  for (const auto& [language, counts] : languages) models_.emplace(language, counts);
}

std::vector<LanguageProbability> LanguageIdentifier::identify(
    std::string_view text, const std::vector<std::string>& languages) const {
  std::vector<const LanguageModel*> models;
  std::vector<LanguageProbability> found;
  for (const auto& language : languages) {
    const auto model = models_.find(language);
    if (model == models_.end()) continue;
    models.push_back(&model->second);
    found.push_back({language});
  }
  const LetterText letters(text);
  if (models.empty() || letters.size() == 1) return found;
  std::vector<double> logs(models.size() + 1);  // the last is that of another language
  for (std::size_t end = 2; end <= std::min(letters.size(), most_characters); ++end) {
    double letter = 0;  // its probability in the known languages, whatever is before it
    for (std::size_t i = 0; i < models.size(); ++i) {
      logs[i] += std::log(models[i]->probability(letters, end, NgramCounts::longest));
      letter += models[i]->probability(letters, end, 1) / static_cast<double>(models.size());
    }
    logs.back() +=
        std::log((1 - share_of_other_letters) * letter + share_of_other_letters * unseen_character);
  }
  const auto probabilities = softmax(std::move(logs));
  for (std::size_t i = 0; i < found.size(); ++i) found[i].probability = probabilities[i];
  std::ranges::stable_sort(found, std::greater(), &LanguageProbability::probability);
  return found;
}

}  // namespace tfm
