#include "tfm/text/language_models.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_set>

namespace tfm {
namespace {

constexpr double share_of_other_letters = 0.01;  // in an unknown language

/// Returns the logarithm of the probability that an unknown language gives a letter, or one that no
/// language has if the n-gram is empty.
float log_elsewhere(std::span<const LanguageModel> models, LetterNgram letter) {
  double sum = 0;
  for (const auto& model : models)
    sum += model.probability(letter) * (letter == 0 ? model.backoff(0) : 1);
  const double mean = models.empty() ? 0 : sum / static_cast<double>(models.size());
  return static_cast<float>(
      std::log((1 - share_of_other_letters) * mean + share_of_other_letters * unseen_letter));
}

constexpr LetterNgram no_ngram = ~LetterNgram{0};  // U+FFFF is not a letter

}  // namespace

LanguageModel::LanguageModel(const LetterNgramCounts& counts) {
  for (const auto& [ngram, count] : counts.counts())
    entries_[ngram].count = static_cast<double>(count);
  for (const auto& [ngram, count] : counts.counts()) {
    Entry& history = entries_[ngram_history(ngram)];
    history.followed += static_cast<double>(count);
    history.followers += 1;
  }
}

double LanguageModel::probability(LetterNgram ngram) const {
  double probability = unseen_letter;
  for (std::size_t n = 1; n <= ngram_length(ngram); ++n) {
    const LetterNgram last = last_letters(ngram, n);
    const auto history = entries_.find(ngram_history(last));
    if (history == entries_.end() || history->second.followers == 0) break;
    const double missing = history->second.missing();
    const auto found = entries_.find(last);
    const double own = found == entries_.end() ? 0 : found->second.count;
    probability = (own + missing * probability) / (history->second.followed + missing);
  }
  return probability;
}

double LanguageModel::backoff(LetterNgram history) const {
  const auto found = entries_.find(history);
  if (found == entries_.end() || found->second.followers == 0) return 1;
  const double missing = found->second.missing();
  return missing / (found->second.followed + missing);
}

LanguageModels::LanguageModels(std::span<const LanguageModel> models) : languages_(models.size()) {
  std::unordered_set<LetterNgram> distinct;
  for (const auto& model : models)
    model.for_each([&distinct](LetterNgram ngram) { distinct.insert(ngram); });
  std::vector<LetterNgram> ngrams{0};  // first, so that its row is 0
  ngrams.insert(ngrams.end(), distinct.begin(), distinct.end());
  const std::size_t size = std::bit_ceil(2 * ngrams.size());
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(size));
  rows_.assign(size, {no_ngram});
  entries_.reserve(ngrams.size() * languages_);
  for (std::uint32_t number = 0; number < ngrams.size(); ++number) {
    const LetterNgram ngram = ngrams[number];
    Row& row = rows_[row_of(ngram)];
    row.ngram = ngram;
    row.number = number;
    for (const auto& model : models)
      entries_.push_back({static_cast<float>(std::log(model.probability(ngram))),
                          static_cast<float>(std::log(model.backoff(ngram)))});
    elsewhere_.push_back(ngram_length(ngram) <= 1 ? log_elsewhere(models, ngram) : 0.F);
  }
  for (const LetterNgram ngram : distinct)
    rows_[row_of(ngram)].rest =
        static_cast<std::uint32_t>(row_of(last_letters(ngram, ngram_length(ngram) - 1)));
}

/// Returns the row of the n-gram, or the free one where it belongs. At least half are free.
std::size_t LanguageModels::row_of(LetterNgram ngram) const {
  constexpr LetterNgram golden_ratio = 0x9e3779b97f4a7c15;  // Fibonacci hashing (Knuth, vol. 3)
  std::size_t row = ngram * golden_ratio >> shift_;
  while (rows_[row].ngram != ngram && rows_[row].ngram != no_ngram)
    row = (row + 1) & (rows_.size() - 1);
  return row;
}

LanguageModels::Place LanguageModels::find(LetterNgram ngram, const Place& before) const {
  // A language that has an n-gram also has its history.
  std::size_t length = std::min(ngram_length(ngram), before.length + 1);
  Place place;
  for (; length > 0 && place.length == 0; --length) {
    const LetterNgram last = last_letters(ngram, length);
    const std::size_t row = row_of(last);
    if (rows_[row].ngram != last) continue;
    place.row = row;
    place.length = length;
  }
  const LetterNgram letter = last_letters(ngram, 1);
  const Row& row = rows_[place.length == 1 ? place.row : row_of(letter)];
  if (row.ngram == letter) place.letter = row.number;
  return place;
}

double LanguageModels::log_probability(const Place& place, const Place& before,
                                       std::size_t language) const {
  double sum = entry(place.row, language).probability;
  std::size_t history = before.row;
  for (std::size_t length = before.length + 1; length > place.length; --length) {
    if (length <= longest_ngram) sum += entry(history, language).backoff;
    history = rows_[history].rest;
  }
  return sum;
}

}  // namespace tfm
