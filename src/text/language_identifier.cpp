#include "tfm/text/language_identifier.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace tfm {
namespace {

constexpr double share_of_other_letters = 0.01;  // in an unknown language
constexpr std::size_t most_letters = 2000;

/// The logarithm of a product of probabilities. It takes a logarithm only before an underflow.
class LogProduct {
 public:
  void multiply(double factor) {
    product_ *= factor;
    if (product_ > 1e-200) return;
    log_ += std::log(product_);
    product_ = 1;
  }
  double log() const { return log_ + std::log(product_); }

 private:
  double log_ = 0;
  double product_ = 1;
};

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
  std::vector<LogProduct> products(languages.size() + 1);
  auto before = models.find(text.before(1, 1), {});
  for (std::size_t end = 2; end <= std::min(text.size(), most_letters); ++end) {
    const auto place = models.find(text.before(end, std::min(end, longest_ngram)), before);
    double letter = 0;  // its probability in the known languages, whatever is before it
    for (std::size_t i = 0; i < languages.size(); ++i) {
      products[i].multiply(models.probability(place, before, languages[i]));
      letter += models.probability(place, languages[i]);
    }
    letter /= static_cast<double>(languages.size());
    products.back().multiply((1 - share_of_other_letters) * letter +
                             share_of_other_letters * unseen_letter);
    before = place;
  }
  std::vector<double> logs;
  for (const auto& product : products) logs.push_back(product.log());
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
