#include "tfm/search/beam_search.h"

#include <gmock/gmock.h>

#include "table_model.h"
#include "tfm/core/error.h"
#include "tfm/search/greedy.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Returns a config that allows empty translations.
DecodingConfig decoding(std::int64_t beam_size, std::int64_t n_best = 1,
                        double length_penalty = 0) {
  DecodingConfig config;
  config.min_length = 0;
  config.beam_size = beam_size;
  config.n_best = n_best;
  config.length_penalty = length_penalty;
  return config;
}

/// Enumerates every possible translation, best first, as the reference result.
class Exhaustive {
 public:
  Exhaustive(TableModel::Table table, std::int64_t max_length, double alpha)
      : table_(std::move(table)), max_length_(max_length), alpha_(alpha) {}

  std::vector<Hypothesis> run() {
    visit({});
    std::ranges::sort(all_, std::ranges::greater{}, &Hypothesis::score);
    return all_;
  }

 private:
  void visit(const Hypothesis& so_far) {
    const auto next = table_(0, so_far.tokens);
    for (std::int32_t token = 0; token < std::ssize(next); ++token) {
      if (token == table_bos || std::isinf(next[static_cast<std::size_t>(token)])) continue;
      Hypothesis longer = so_far;
      longer.log_prob += next[static_cast<std::size_t>(token)];
      if (token == table_eos) {
        longer.score = longer.log_prob / std::pow(std::ssize(longer.tokens) + 1, alpha_);
        all_.push_back(longer);
      } else if (std::ssize(longer.tokens) < max_length_) {
        longer.tokens.push_back(token);
        visit(longer);
      }
    }
  }

  TableModel::Table table_;
  std::int64_t max_length_;
  double alpha_;
  std::vector<Hypothesis> all_;
};

// Token 0 is bos, 1 is eos, and 2 and 3 are words. Greedy search takes token 2 (0.6), after which
// no translation has a probability above 0.6 * 0.4. Token 3 leads to one with 0.4 * 0.9.
TEST(BeamSearch, FindsABetterTranslationThatGreedySearchMisses) {
  const auto table = written_table(
      {{{}, {0, 0, 0.6, 0.4}}, {{2}, {0, 0.4, 0.3, 0.3}}, {{3}, {0, 0.9, 0.05, 0.05}}}, 4);
  TableModel greedy_model(4, 1, table);
  EXPECT_THAT(greedy_search(greedy_model, make_request({5}), decoding(1))[0][0].tokens,
              ElementsAre(2));
  TableModel model(4, 1, table);
  const auto best = beam_search(model, make_request({5}), decoding(2))[0][0];
  EXPECT_THAT(best.tokens, ElementsAre(3));
  EXPECT_NEAR(best.log_prob, std::log(0.4 * 0.9), 1e-6);
}

TEST(BeamSearch, BreaksTiesInFavorOfTheLowerRowThenTheLowerToken) {
  // All words are equally probable at the first two positions, so all candidates tie.
  TableModel model(5, 1, [](std::int32_t, const Prefix& prefix) {
    return prefix.size() < 2 ? std::vector<float>{-infinity, -infinity, -1, -1, -1}
                             : std::vector<float>{-infinity, 0, -infinity, -infinity, -infinity};
  });
  const auto result = beam_search(model, make_request({5}), decoding(3, 3));
  ASSERT_EQ(result[0].size(), 3u);
  EXPECT_THAT(result[0][0].tokens, ElementsAre(2, 2));
  EXPECT_THAT(result[0][1].tokens, ElementsAre(2, 3));
  EXPECT_THAT(result[0][2].tokens, ElementsAre(2, 4));
}

TEST(BeamSearch, FinishedHypothesesDoNotChange) {
  // The empty translation (0.5) finishes in the first step; later hypotheses are longer and less
  // probable.
  TableModel model(
      4, 1,
      written_table({{{}, {0, 0.5, 0.3, 0.2}}, {{2}, {0, 0, 0.5, 0.5}}, {{3}, {0, 0, 0.5, 0.5}}},
                    4));
  const auto result = beam_search(model, make_request({5}), decoding(2, 2));
  EXPECT_THAT(result[0][0].tokens, IsEmpty());
  EXPECT_TRUE(result[0][0].finished);
  EXPECT_EQ(result[0][0].token_log_probs.size(), 1u);
  EXPECT_NEAR(result[0][0].log_prob, std::log(0.5), 1e-6);
  EXPECT_THAT(result[0][1].tokens, ElementsAre(2, 2));
}

// With a beam of 2, eos is only third in the first step. The empty translation (0.25) must
// therefore not be a result, although it is more probable than "2" (0.45 * 0.4).
TEST(BeamSearch, DoesNotFinishAHypothesisWhenEosRanksBelowTheBeam) {
  TableModel model(
      4, 1,
      written_table(
          {{{}, {0, 0.25, 0.45, 0.3}}, {{2}, {0, 0.4, 0.3, 0.3}}, {{3}, {0, 0.4, 0.3, 0.3}}}, 4));
  const auto result = beam_search(model, make_request({5}), decoding(2, 2));
  EXPECT_THAT(result[0][0].tokens, ElementsAre(2));
  EXPECT_THAT(result[0][1].tokens, ElementsAre(2, 2));
}

// Although eos takes one of the first two ranks, two hypotheses stay live. The result must
// therefore contain "3" (0.2), which is more probable than "2" (0.3 * 0.4).
TEST(BeamSearch, FinishedHypothesesDoNotReduceTheNumberOfLiveHypotheses) {
  TableModel model(4, 1, written_table({{{}, {0, 0.5, 0.3, 0.2}}, {{2}, {0, 0.4, 0.3, 0.3}}}, 4));
  const auto result = beam_search(model, make_request({5}), decoding(2, 2));
  EXPECT_THAT(result[0][0].tokens, IsEmpty());
  EXPECT_THAT(result[0][1].tokens, ElementsAre(3));
}

TEST(BeamSearch, FinishedSentencesLeaveTheBatch) {
  // Sentence 0 has exactly three words, sentence 1 none, sentence 2 one.
  const std::vector<std::int64_t> words{3, 0, 1};
  TableModel model(4, 3, [&](std::int32_t sentence, const Prefix& prefix) {
    const bool over = std::ssize(prefix) >= words[static_cast<std::size_t>(sentence)];
    return std::vector<float>{-infinity, over ? 0 : -infinity, over ? -infinity : -0.7F,
                              over ? -infinity : -0.7F};
  });
  const auto result = beam_search(model, make_request({9, 9, 9}), decoding(2));
  EXPECT_EQ(result[0][0].tokens.size(), 3u);
  EXPECT_EQ(result[1][0].tokens.size(), 0u);
  EXPECT_EQ(result[2][0].tokens.size(), 1u);
  EXPECT_THAT(model.calls,
              ElementsAre(std::set{0, 1, 2}, std::set{0, 2}, std::set{0}, std::set{0}));
}

TEST(BeamSearch, OrdersTheNBestListByScore) {
  TableModel model(5, 1, written_table({{{}, {0, 0.1, 0.2, 0.4, 0.3}}}, 5));
  const auto result = beam_search(model, make_request({5}), decoding(4, 3))[0];
  ASSERT_EQ(result.size(), 3u);
  EXPECT_THAT(result[0].tokens, ElementsAre(3));
  EXPECT_THAT(result[1].tokens, ElementsAre(4));
  EXPECT_THAT(result[2].tokens, ElementsAre(2));
  EXPECT_GT(result[0].score, result[1].score);
  EXPECT_GT(result[1].score, result[2].score);
}

// With eos, "2" has two tokens and probability 0.5 * 0.6 = 0.30; "3 3" has three tokens and
// probability 0.5 * 0.8 * 0.7 = 0.28. With alpha 0, "2" is better: ln 0.30 = -1.204 > ln 0.28 =
// -1.273. With alpha 1, "3 3" is better: -1.204 / 2 = -0.602 < -1.273 / 3 = -0.424.
TEST(BeamSearch, LengthPenaltyCanChangeTheRanking) {
  const auto table = written_table({{{}, {0, 0, 0.5, 0.5}},
                                    {{2}, {0, 0.6, 0.4, 0}},
                                    {{3}, {0, 0, 0.2, 0.8}},
                                    {{3, 3}, {0, 0.7, 0.15, 0.15}}},
                                   4);
  TableModel plain(4, 1, table);
  const auto shorter = beam_search(plain, make_request({5}), decoding(2, 1, 0))[0][0];
  EXPECT_THAT(shorter.tokens, ElementsAre(2));
  EXPECT_NEAR(shorter.score, -1.2039728, 1e-5);
  TableModel normalized(4, 1, table);
  const auto longer = beam_search(normalized, make_request({5}), decoding(2, 1, 1))[0][0];
  EXPECT_THAT(longer.tokens, ElementsAre(3, 3));
  EXPECT_NEAR(longer.score, -0.4243219, 1e-5);
}

TEST(BeamSearch, RanksTruncatedHypothesesByScore) {
  // eos is possible only after 2. At the maximum length of one token, "3" is truncated and "2"
  // ends.
  TableModel model(
      4, 1,
      written_table({{{}, {0, 0, 0.4, 0.6}}, {{2}, {0, 0.9, 0.1, 0}}, {{3}, {0, 0, 0.5, 0.5}}}, 4));
  const auto result = beam_search(model, make_request({1}), decoding(2, 2))[0];
  ASSERT_EQ(result.size(), 2u);
  EXPECT_THAT(result[0].tokens, ElementsAre(3));
  EXPECT_FALSE(result[0].finished);
  EXPECT_NEAR(result[0].score, std::log(0.6), 1e-6);
  EXPECT_THAT(result[1].tokens, ElementsAre(2));
  EXPECT_TRUE(result[1].finished);
  EXPECT_NEAR(result[1].score, std::log(0.4 * 0.9), 1e-6);
}

TEST(BeamSearch, ReturnsAnEmptyTranslationWhenTheMaximumLengthIsZero) {
  TableModel model(3, 2, written_table({{{}, {0, 0.5, 0.5}}}, 3));
  const auto result = beam_search(model, make_request({0, 4}), decoding(3, 3));
  ASSERT_FALSE(result[0].empty());
  EXPECT_THAT(result[0][0].tokens, IsEmpty());
  EXPECT_FALSE(result[1].empty());
}

TEST(BeamSearch, AcceptsABatchWithoutSentences) {
  TableModel model(3, 0, written_table({}, 3));
  EXPECT_THAT(beam_search(model, make_request({}), decoding(4)), IsEmpty());
  EXPECT_THAT(model.calls, IsEmpty());
}

TEST(BeamSearch, AcceptsABeamLargerThanTheVocabulary) {
  TableModel model(3, 1, written_table({{{}, {0, 0.3, 0.7}}}, 3));
  const auto result = beam_search(model, make_request({1}), decoding(1000000, 1000000))[0];
  ASSERT_EQ(result.size(), 2u) << "the table has no third translation";
  EXPECT_THAT(result[0].tokens, ElementsAre(2));
  EXPECT_THAT(result[1].tokens, IsEmpty());
}

TEST(BeamSearch, NeverSelectsImpossibleTokens) {
  TableModel model(4, 1, [](std::int32_t, const Prefix& prefix) {
    return prefix.empty() ? std::vector<float>{-infinity, -infinity, -infinity, -1}
                          : std::vector<float>(4, -infinity);
  });
  const auto result = beam_search(model, make_request({5}), decoding(4, 4))[0];
  ASSERT_EQ(result.size(), 1u);
  EXPECT_THAT(result[0].tokens, ElementsAre(3));
  EXPECT_FALSE(result[0].finished);
}

TEST(BeamSearch, ThrowsWhenALogProbabilityIsNaN) {
  TableModel model(4, 1, [](std::int32_t, const Prefix& prefix) {
    return std::vector<float>{-5, -1, -1,
                              prefix.empty() ? -1 : std::numeric_limits<float>::quiet_NaN()};
  });
  EXPECT_THROW(beam_search(model, make_request({5}), decoding(3)), ModelError);
}

TEST(BeamSearch, RepeatsNoNgramsIfNoRepeatNgramSizeIsSet) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    TableModel model(5, 1, random_table(seed, 5));
    DecodingConfig config = decoding(4, 4);
    config.no_repeat_ngram_size = 2;
    const auto result = beam_search(model, make_request({12}), config);
    for (const Hypothesis& hypothesis : result[0]) {
      std::set<std::pair<std::int32_t, std::int32_t>> seen;
      for (std::size_t i = 1; i < hypothesis.tokens.size(); ++i) {
        EXPECT_TRUE(seen.emplace(hypothesis.tokens[i - 1], hypothesis.tokens[i]).second)
            << "seed " << seed;
      }
    }
  }
}

TEST(BeamSearch, EqualsGreedySearchWhenTheBeamSizeIsOne) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const std::size_t vocab_size = 3 + seed % 100;
    DecodingConfig config = decoding(1, 1, 0.7);
    config.no_repeat_ngram_size = seed % 3;
    const SearchRequest request = make_request({0, 2, 8, 5});
    TableModel greedy_model(static_cast<std::int64_t>(vocab_size), 4,
                            random_table(seed, vocab_size));
    TableModel beam_model(static_cast<std::int64_t>(vocab_size), 4, random_table(seed, vocab_size));
    const auto greedy = greedy_search(greedy_model, request, config);
    const auto beam = beam_search(beam_model, request, config);
    for (std::size_t i = 0; i < greedy.size(); ++i) expect_same(greedy[i], beam[i]);
  }
}

TEST(BeamSearch, EqualsExhaustiveSearchWhenTheBeamIsLargeEnough) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const double alpha = 0.5 * (seed % 4);
    const auto table = random_table(seed, 5);
    const auto expected = Exhaustive(table, 4, alpha).run();
    TableModel model(5, 1, table);
    const auto found = beam_search(model, make_request({4}), decoding(1000, 1000, alpha))[0];
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].tokens, expected[i].tokens);
      EXPECT_NEAR(found[i].score, expected[i].score, 1e-9);
    }
  }
}

TEST(BeamSearch, TranslatesSentencesIndependently) {
  const std::vector<std::int64_t> max_lengths{7, 0, 3, 12, 1, 9, 5, 5};
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    const auto table = random_table(seed, 70);
    TableModel together(70, static_cast<std::int32_t>(max_lengths.size()), table);
    const auto result = beam_search(together, make_request(max_lengths), decoding(3, 3, 1));
    for (std::size_t i = 0; i < max_lengths.size(); ++i) {
      TableModel alone(70, 1, [&](std::int32_t, const Prefix& prefix) {
        return table(static_cast<std::int32_t>(i), prefix);
      });
      expect_same(result[i],
                  beam_search(alone, make_request({max_lengths[i]}), decoding(3, 3, 1))[0]);
    }
  }
}

TEST(BeamSearch, StopTokenFinishesAHypothesisAndBecomesItsLastToken) {
  // Token 3 is the stop token. "3" has probability 0.3, "2 3" has 0.6 * 0.5, and "2" followed by
  // eos has 0.6 * 0.4.
  TableModel model(4, 1, written_table({{{}, {0, 0.1, 0.6, 0.3}}, {{2}, {0, 0.4, 0.1, 0.5}}}, 4));
  auto request = make_request({5});
  request.stop = 3;
  const auto result = beam_search(model, request, decoding(3, 3, /*length_penalty=*/1))[0];
  ASSERT_EQ(result.size(), 3u);
  EXPECT_THAT(result[0].tokens, ElementsAre(2, 3));
  EXPECT_NEAR(result[0].score, std::log(0.3) / 2, 1e-6);
  EXPECT_TRUE(result[0].finished);
  EXPECT_EQ(result[0].token_log_probs.size(), 2u) << "no eos follows";
}

TEST(BeamSearch, EqualsGreedySearchWhenTheBeamSizeIsOneAndAStopTokenIsSet) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    const auto table = random_table(seed, 6);
    auto request = make_request({4});
    request.stop = 2;
    TableModel one(6, 1, table);
    TableModel other(6, 1, table);
    expect_same(beam_search(one, request, decoding(1))[0],
                greedy_search(other, request, decoding(1))[0]);
  }
}

TEST(BeamSearch, AddsNoTokenAfterTheStopToken) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    auto request = make_request({5});
    request.stop = 2;
    TableModel model(6, 1, random_table(seed, 6));
    const auto result = beam_search(model, request, decoding(4, 4));
    for (const auto& hypothesis : result[0]) {
      const auto stop = std::ranges::find(hypothesis.tokens, 2);
      EXPECT_TRUE(stop == hypothesis.tokens.end() || stop == hypothesis.tokens.end() - 1);
      EXPECT_LE(hypothesis.tokens.size(), 5u);
    }
  }
}

}  // namespace
}  // namespace tfm
