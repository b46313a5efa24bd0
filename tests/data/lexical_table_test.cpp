#include "tfm/data/lexical_table.h"

#include <gtest/gtest.h>

namespace tfm {
namespace {

using Ids = std::vector<TokenId>;

/// Returns four sentence pairs. Each source token occurs in two of them, together with its
/// translation, and in each with one other target token.
std::vector<Example> pairs() {
  return {
      {{0, 1}, {10, 11}},  // das haus, the house
      {{0, 2}, {10, 12}},  // das buch, the book
      {{3, 2}, {13, 12}},  // ein buch, a book
      {{3, 1}, {13, 11}},  // ein haus, a house
  };
}

TEST(LexicalTable, FindsTranslationsAmongCooccurringTokens) {
  const LexicalTable lexicon(pairs(), 5);
  EXPECT_EQ(lexicon.best(0, 1), Ids{10});
  EXPECT_EQ(lexicon.best(1, 1), Ids{11});
  EXPECT_EQ(lexicon.best(2, 1), Ids{12});
  EXPECT_EQ(lexicon.best(3, 1), Ids{13});
}

TEST(LexicalTable, ReturnsOnlyCooccurringTokensBestFirst) {
  const LexicalTable lexicon(pairs(), 5);
  EXPECT_EQ(lexicon.best(1, 100), (Ids{11, 10, 13})) << "ties are in the order of ids";
  EXPECT_EQ(lexicon.best(1, 0), Ids{});
  EXPECT_EQ(lexicon.best(4, 100), Ids{}) << "never occurred";
}

/// By the formulas of Brown et al. 1993, evaluated by hand, the probabilities of a single pair stay
/// equal in every iteration.
TEST(LexicalTable, KeepsEqualProbabilitiesForASinglePair) {
  const std::vector<Example> one{{{0, 1}, {7, 6}}};
  const LexicalTable lexicon(one, 2);
  EXPECT_EQ(lexicon.best(0, 2), (Ids{6, 7}));
  EXPECT_EQ(lexicon.best(1, 2), (Ids{6, 7}));
}

/// One source token occurs thousands of times, so that duplicates are removed from its list of
/// target tokens while the list grows.
TEST(LexicalTable, KeepsAllTargetTokensOfAFrequentSourceToken) {
  std::vector<Example> many;
  for (TokenId i = 0; i < 3000; ++i) many.push_back({{0}, {i, i % 7}});
  const LexicalTable lexicon(many, 1);
  EXPECT_EQ(lexicon.best(0, 5000).size(), 3000U);
}

}  // namespace
}  // namespace tfm
