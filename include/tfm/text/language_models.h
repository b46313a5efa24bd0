// The probabilities of letters in a language. A letter's probability depends on the letters before
// it (n-gram model with Witten-Bell smoothing; Dunning 1994, Statistical Identification of
// Language). LanguageModel is the definition; LanguageModels is a table of several, which is fast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "tfm/text/letter_ngrams.h"

namespace tfm {

/// The probability of a letter that a language does not have: one of the basic multilingual plane.
inline constexpr double unseen_letter = 1.0 / 65536;

class LanguageModel {
 public:
  explicit LanguageModel(const LetterNgramCounts& counts);

  /// Returns the probability of the n-gram's last letter, given those before it; unseen_letter if
  /// the n-gram has no letter.
  double probability(LetterNgram ngram) const;
  /// Returns by what the probability of a letter is multiplied if it was never seen after these
  /// letters; 1 if nothing is known of what follows them.
  double backoff(LetterNgram history) const;
  /// Calls visit(ngram) for each n-gram that was counted.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (const auto& [ngram, entry] : entries_)
      if (entry.count > 0) visit(ngram);
  }

 private:
  struct Entry {
    double count = 0;      // of this n-gram
    double followed = 0;   // sum of the counts of longer n-grams that begin with it
    double followers = 0;  // number of these

    // Rare n-grams may be missing in the counts. They share their probability with unseen ones.
    double missing() const { return followers + (count > followed ? count - followed : 0); }
  };

  std::unordered_map<LetterNgram, Entry> entries_;  // all n-grams, and the empty one
};

class LanguageModels {
 public:
  /// The longest n-gram that ends with a letter of a text and that a language has. By default, the
  /// empty one before a text.
  struct Place {
    std::size_t row = 0;
    std::size_t length = 0;
    std::size_t letter = 0;  ///< number of the letter alone; 0 if no language has it
  };

  LanguageModels() : LanguageModels(std::span<const LanguageModel>()) {}
  explicit LanguageModels(std::span<const LanguageModel> models);

  /// Returns the place of the n-gram's last letter; `before` is that of the letter before it.
  Place find(LetterNgram ngram, const Place& before) const;
  /// Returns the logarithm of a letter's probability in a language, given those before it.
  double log_probability(const Place& place, const Place& before, std::size_t language) const;
  /// Returns the logarithm of a letter's probability in an unknown language, which has the letters
  /// of the known ones in any order, and one of a hundred letters that they do not have.
  double log_probability_elsewhere(const Place& place) const { return elsewhere_[place.letter]; }

 private:
  struct Row {
    LetterNgram ngram = 0;
    std::uint32_t rest = 0;  // row of the n-gram without its first letter
    std::uint32_t number = 0;
  };
  struct Entry {  // logarithms
    float probability = 0;
    float backoff = 0;
  };

  std::size_t row_of(LetterNgram ngram) const;
  const Entry& entry(std::size_t row, std::size_t language) const {
    return entries_[rows_[row].number * languages_ + language];
  }

  std::size_t languages_ = 0;
  // An open hash table; row 0 is the empty n-gram. To each n-gram belong `languages_` entries, in
  // the order of their numbers. If a language has an n-gram, it also has those that the n-gram
  // begins and ends with.
  unsigned shift_ = 0;
  std::vector<Row> rows_;
  std::vector<Entry> entries_;
  std::vector<float> elsewhere_;  // of letters and the empty n-gram, by their numbers; others are 0
};

}  // namespace tfm
