#include "tfm/search/greedy.h"

#include <gmock/gmock.h>

#include "table_model.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Token 0 is bos, 1 is eos, and 2 and 3 are words.
TEST(GreedySearch, TakesTheMostProbableTokenAtEachStep) {
  TableModel model(4, 1, written_table({{{}, {0, 0.1, 0.6, 0.3}}, {{2}, {0, 0.2, 0.3, 0.5}}}, 4));
  DecodingConfig config;
  config.length_penalty = 1;
  const auto result = greedy_search(model, make_request({5}), config);
  ASSERT_EQ(result.size(), 1u);
  ASSERT_EQ(result[0].size(), 1u);
  const Hypothesis& best = result[0][0];
  EXPECT_THAT(best.tokens, ElementsAre(2, 3));
  EXPECT_TRUE(best.finished);
  EXPECT_EQ(best.token_log_probs.size(), 3u) << "eos has its log-probability too";
  EXPECT_NEAR(best.log_prob, std::log(0.6 * 0.5), 1e-6);
  EXPECT_NEAR(best.score, std::log(0.6 * 0.5) / 3, 1e-6) << "three tokens with eos";
}

TEST(GreedySearch, FindsTheSameTokensWithoutScoresIfNoneAreWanted) {
  const auto table = written_table({{{}, {0, 0.1, 0.6, 0.3}}, {{2}, {0, 0.2, 0.3, 0.5}}}, 4);
  TableModel model(4, 1, table);
  auto request = make_request({5});
  request.scores = false;
  const auto best = greedy_search(model, request, {})[0][0];
  EXPECT_THAT(best.tokens, ElementsAre(2, 3));
  EXPECT_TRUE(best.finished);
  EXPECT_THAT(best.token_log_probs, IsEmpty());
  EXPECT_TRUE(std::isnan(best.log_prob) && std::isnan(best.score));
}

TEST(GreedySearch, NeedsLogProbabilitiesForScoresAlternativesAndPenalties) {
  auto request = make_request({5});
  EXPECT_TRUE(greedy_needs_log_probs(request, {}));
  request.scores = false;
  EXPECT_FALSE(greedy_needs_log_probs(request, {}));
  DecodingConfig penalizing;
  penalizing.repetition_penalty = 1.2;
  EXPECT_TRUE(greedy_needs_log_probs(request, penalizing));
  request.alternatives = 1;
  EXPECT_TRUE(greedy_needs_log_probs(request, {}));
}

TEST(GreedySearch, BreaksTiesInFavorOfTheLowerToken) {
  TableModel model(4, 1, written_table({{{}, {0, 0.2, 0.4, 0.4}}}, 4));
  EXPECT_THAT(greedy_search(model, make_request({5}), {})[0][0].tokens, ElementsAre(2));
}

TEST(GreedySearch, TruncatesAtTheMaximumLength) {
  TableModel model(3, 1,
                   [](std::int32_t, const Prefix&) { return std::vector<float>{-9, -2, -0.1F}; });
  const auto best = greedy_search(model, make_request({3}), {})[0][0];
  EXPECT_THAT(best.tokens, ElementsAre(2, 2, 2));
  EXPECT_FALSE(best.finished);
  EXPECT_NEAR(best.score, -0.1, 1e-6);
}

TEST(GreedySearch, FinishesATranslationOfExactlyTheMaximumLength) {
  TableModel model(3, 1, written_table({{{}, {0, 0.1, 0.9}}}, 3));
  const auto best = greedy_search(model, make_request({1}), {})[0][0];
  EXPECT_THAT(best.tokens, ElementsAre(2));
  EXPECT_TRUE(best.finished);
}

TEST(GreedySearch, ReturnsAnEmptyTranslationWhenTheMaximumLengthIsZero) {
  TableModel model(3, 1, written_table({{{}, {0, 0.1, 0.9}}}, 3));
  const auto best = greedy_search(model, make_request({0}), {})[0][0];
  EXPECT_THAT(best.tokens, IsEmpty());
  EXPECT_FALSE(best.finished);
  EXPECT_EQ(best.score, 0);
}

TEST(GreedySearch, AcceptsABatchWithoutSentences) {
  TableModel model(3, 0, written_table({}, 3));
  EXPECT_THAT(greedy_search(model, make_request({}), {}), IsEmpty());
  EXPECT_THAT(model.calls, IsEmpty());
}

TEST(GreedySearch, FinishedSentencesLeaveTheBatch) {
  // Sentence i has i words.
  TableModel model(3, 3, [](std::int32_t sentence, const Prefix& prefix) {
    const bool over = std::ssize(prefix) >= sentence;
    return std::vector<float>{-infinity, over ? 0 : -infinity, over ? -infinity : 0};
  });
  const auto result = greedy_search(model, make_request({9, 9, 9}), {});
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(result[i][0].tokens.size(), i);
  EXPECT_THAT(model.calls, ElementsAre(std::set{0, 1, 2}, std::set{1, 2}, std::set{2}));
}

TEST(GreedySearch, NeverProducesForbiddenTokens) {
  TableModel model(4, 1, written_table({{{}, {0.5, 0.05, 0.3, 0.15}}}, 4));
  SearchRequest request = make_request({5});
  request.forbidden = {table_bos, 2, -1};
  EXPECT_THAT(greedy_search(model, request, {})[0][0].tokens, ElementsAre(3));
}

TEST(GreedySearch, RepeatsNoNgramsIfNoRepeatNgramSizeIsSet) {
  // The most probable translation is 2 3 2 3 2 3 ..., whose third bigram repeats the first.
  const auto alternate = [](std::int32_t, const Prefix& prefix) {
    const bool two = prefix.empty() || prefix.back() == 3;
    return std::vector<float>{-infinity, -5, two ? -0.1F : -3, two ? -3 : -0.1F};
  };
  DecodingConfig config;
  TableModel free_model(4, 1, alternate);
  EXPECT_THAT(greedy_search(free_model, make_request({6}), config)[0][0].tokens,
              ElementsAre(2, 3, 2, 3, 2, 3));
  config.no_repeat_ngram_size = 2;
  TableModel model(4, 1, alternate);
  // After 2 3 2, the bigram ban excludes 3, so 2 follows. After 2 3 2 2, it excludes 2 and 3.
  EXPECT_THAT(greedy_search(model, make_request({6}), config)[0][0].tokens,
              ElementsAre(2, 3, 2, 2));
  config.no_repeat_ngram_size = 1;
  TableModel unigrams(4, 1, alternate);
  EXPECT_THAT(greedy_search(unigrams, make_request({6}), config)[0][0].tokens, ElementsAre(2, 3));
}

TEST(GreedySearch, TruncatesWhenNoTokenIsPossible) {
  TableModel model(3, 1, [](std::int32_t, const Prefix& prefix) {
    return prefix.empty() ? std::vector<float>{-infinity, -3, -0.1F}
                          : std::vector<float>(3, -infinity);
  });
  const auto best = greedy_search(model, make_request({5}), {})[0][0];
  EXPECT_THAT(best.tokens, ElementsAre(2));
  EXPECT_FALSE(best.finished);
}

TEST(GreedySearch, ThrowsWhenAScoreAtAnyPositionOfALongRowIsNaNOrPlusInfinity) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), infinity}) {
    for (const std::size_t place : {0u, 63u, 64u, 150u, 199u}) {
      TableModel model(200, 1, [=](std::int32_t, const Prefix&) {
        std::vector<float> row(200, -5);
        row[1] = -0.1F;
        row[place] = bad;
        return row;
      });
      try {
        greedy_search(model, make_request({3}), {});
        ADD_FAILURE() << "accepted " << bad << " at " << place;
      } catch (const ModelError& error) {
        EXPECT_THAT(error.what(), HasSubstr("non-finite scores"));
      }
    }
  }
}

TEST(GreedySearch, FindsTheMaximumAtEveryPositionOfALongRow) {
  DecodingConfig config;
  config.min_length = 0;
  for (std::size_t place = 1; place < 300; ++place) {
    TableModel model(300, 1, [=](std::int32_t, const Prefix& prefix) {
      std::vector<float> row(300, -5);
      row[prefix.empty() ? place : table_eos] = -4;
      return row;
    });
    const auto best = greedy_search(model, make_request({3}), config)[0][0];
    const auto expected = place == table_eos ? Prefix{} : Prefix{static_cast<std::int32_t>(place)};
    EXPECT_EQ(best.tokens, expected);
  }
}

TEST(GreedySearch, StopTokenFinishesAHypothesisAndBecomesItsLastToken) {
  TableModel model(
      5, 1,
      written_table(
          {{{}, {0, 0.1, 0.6, 0.3, 0}}, {{2}, {0, 0.2, 0.1, 0.7, 0}}, {{2, 3}, {0, 0, 0, 0, 1}}},
          5));
  auto request = make_request({5});
  request.stop = 3;
  DecodingConfig config;
  config.length_penalty = 1;
  const auto best = greedy_search(model, request, config)[0][0];
  EXPECT_THAT(best.tokens, ElementsAre(2, 3));
  EXPECT_TRUE(best.finished);
  EXPECT_EQ(best.token_log_probs.size(), 2u);
  EXPECT_NEAR(best.score, std::log(0.6 * 0.7) / 2, 1e-6);
}

}  // namespace
}  // namespace tfm
