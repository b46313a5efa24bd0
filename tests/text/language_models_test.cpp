#include "tfm/text/language_models.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "property.h"

namespace tfm {
namespace {

LetterNgramCounts counts_of_words(const std::vector<std::string>& texts) {
  LetterNgramCounts counts;
  for (const auto& text : texts) counts.add(text);
  return counts;
}

/// Returns the n-gram that ends with the letter before `end`.
LetterNgram ngram_before(const LetterText& text, std::size_t end) {
  return text.before(end, std::min(end, longest_ngram));
}

/// The expected numbers are Witten-Bell smoothing by hand. After "Aab", the letters are a twice,
/// b and the space: 4 of 3 kinds.
TEST(LanguageModel, SmoothsRatiosOfCounts) {
  const LanguageModel model(counts_of_words({"Aab"}));
  const auto probability = [&](const char* ngram) { return model.probability(*ngram_from(ngram)); };
  const double a = (2 + 3 * unseen_letter) / (4 + 3);
  EXPECT_DOUBLE_EQ(probability("a"), a);
  EXPECT_DOUBLE_EQ(probability("c"), 3 * unseen_letter / (4 + 3));
  EXPECT_DOUBLE_EQ(probability(" a"), (1 + 1 * a) / (1 + 1));
  EXPECT_DOUBLE_EQ(probability("ac"), (0 + 2 * probability("c")) / (2 + 2));
  EXPECT_DOUBLE_EQ(model.backoff(*ngram_from("a")), 2.0 / (2 + 2));
  EXPECT_EQ(model.backoff(*ngram_from("x")), 1);
}

TEST(LanguageModel, GivesNgramsThatWereNotKeptToUnseenOnes) {
  auto counts = counts_of_words({"ab", "ab", "ab", "ac"});
  counts.keep_most_frequent(6);  // of those that end with c, none
  ASSERT_FALSE(counts.counts().contains(*ngram_from("ac")));
  const LanguageModel model(counts);
  EXPECT_DOUBLE_EQ(model.probability(*ngram_from("ac")),
                   2 * model.probability(*ngram_from("c")) / (3 + 2))
      << "of four a, three have a kept successor, of one kind";
}

TEST(LanguageModelProperty, ProbabilitiesOfAllLettersSumUpToOne) {
  const LanguageModel model(counts_of_words({"eine kleine Katze", "der kleine Hund"}));
  check_property([&model] {
    const auto before = *text_from({"e", "in", "kl", "Katze", " ", "qu"}) + "e";
    const auto probability_of = [&](std::string_view next) {
      const LetterText text(before + std::string(next));
      return model.probability(ngram_before(text, LetterText(before).size()));
    };
    double sum = 0;
    for (const char* next : {"a", "d", "e", "h", "i", "k", "l", "n", "r", "t", "u", "z", " "})
      sum += probability_of(next);
    const double others = (65536 - 13) * probability_of("x");
    RC_ASSERT(std::abs(sum + others - 1) < 1e-9);
  });
}

TEST(LanguageModelsProperty, HaveTheProbabilitiesOfEachModel) {
  check_property([] {
    const auto text = [] { return *text_from({"a", "b", "ab", "ca", " ", "x"}); };
    std::vector<LanguageModel> models;
    for (int i = 0; i < 3; ++i) {
      auto counts = counts_of_words({text(), text(), text()});
      counts.keep_most_frequent(*rc::gen::inRange<std::size_t>(1, 30));
      models.emplace_back(counts);
    }
    const LanguageModels table(models);
    const LetterText letters(text());
    auto before = table.find(letters.before(1, 1), {});
    for (std::size_t end = 2; end <= letters.size(); ++end) {
      const auto place = table.find(ngram_before(letters, end), before);
      for (std::size_t i = 0; i < models.size(); ++i) {
        const double expected = models[i].probability(ngram_before(letters, end));
        RC_ASSERT(std::abs(table.log_probability(place, before, i) - std::log(expected)) < 1e-4);
      }
      double mean = 0;
      for (const auto& model : models) mean += model.probability(letters.before(end, 1)) / 3;
      const double elsewhere = std::log(0.99 * mean + 0.01 * unseen_letter);
      RC_ASSERT(std::abs(table.log_probability_elsewhere(place) - elsewhere) < 1e-4);
      before = place;
    }
  });
}

}  // namespace
}  // namespace tfm
