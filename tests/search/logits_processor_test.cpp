#include "tfm/search/logits_processor.h"

#include <gmock/gmock.h>

#include "table_model.h"
#include "tfm/search/search.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Returns one config for each kind of search. Most tests run with all of these configs.
std::vector<DecodingConfig> searches() {
  DecodingConfig greedy;
  greedy.beam_size = 1;
  DecodingConfig beam;
  beam.n_best = 4;
  DecodingConfig diverse = beam;
  diverse.beam_groups = 2;
  DecodingConfig sampling = beam;
  sampling.sampling = true;
  return {greedy, beam, diverse, sampling};
}

/// Runs each search with 20 random tables, after `change` has modified its config, and calls
/// `check` on every hypothesis found.
void for_every_hypothesis(const SearchRequest& request,
                          const std::function<void(DecodingConfig&)>& change,
                          const std::function<void(const Hypothesis&)>& check) {
  for (DecodingConfig config : searches()) {
    change(config);
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
      SCOPED_TRACE(testing::Message()
                   << "seed " << seed << ", beam " << config.beam_size << ", groups "
                   << config.beam_groups << ", sampling " << config.sampling);
      TableModel model(6, 1, random_table(seed, 6));
      const auto found = search(model, request, config)[0];
      EXPECT_FALSE(found.empty());
      for (const Hypothesis& hypothesis : found) check(hypothesis);
    }
  }
}

TEST(LogitsProcessor, EveryTranslationStartsWithThePrefix) {
  auto request = make_request({7});
  request.constraints = {{{3, 3, 2}, {}, {}}};
  for_every_hypothesis(
      request, [](DecodingConfig&) {},
      [](const Hypothesis& hypothesis) {
        ASSERT_GE(hypothesis.tokens.size(), 3u);
        EXPECT_THAT(Prefix(hypothesis.tokens.begin(), hypothesis.tokens.begin() + 3),
                    ElementsAre(3, 3, 2));
        EXPECT_GE(hypothesis.token_log_probs.size(), 3u);
      });
}

// The prefix forces "3" (0.4); then 2 (0.7) and eos follow. Without the prefix, the beam would find
// "2".
TEST(LogitsProcessor, ScoresThePrefixWithTheModelsProbabilities) {
  TableModel model(4, 1, written_table({{{}, {0, 0, 0.6, 0.4}}, {{3}, {0, 0.1, 0.7, 0.2}}}, 4));
  auto request = make_request({5});
  request.constraints = {{{3}, {}, {}}};
  const auto best = search(model, request, DecodingConfig())[0][0];
  EXPECT_THAT(best.tokens, ElementsAre(3, 2));
  EXPECT_NEAR(best.log_prob, std::log(0.4 * 0.7), 1e-6);
}

TEST(LogitsProcessor, PrefixOverridesForbiddenTokensPhrasesAndNgramBans) {
  auto request = make_request({6});
  request.forbidden = {table_bos, 3};
  request.constraints = {{{3, 3}, {}, {{3, 3}}}};
  for_every_hypothesis(
      request, [](DecodingConfig& config) { config.no_repeat_ngram_size = 1; },
      [](const Hypothesis& hypothesis) {
        ASSERT_GE(hypothesis.tokens.size(), 2u);
        EXPECT_EQ(hypothesis.tokens[0], 3);
        EXPECT_EQ(hypothesis.tokens[1], 3);
      });
}

TEST(LogitsProcessor, PrefixMayBeAsLongAsTheMaximumLength) {
  auto request = make_request({2});
  request.constraints = {{{3, 4}, {}, {}}};
  for_every_hypothesis(
      request, [](DecodingConfig&) {},
      [](const Hypothesis& hypothesis) { EXPECT_THAT(hypothesis.tokens, ElementsAre(3, 4)); });
}

TEST(LogitsProcessor, NeverCompletesAForbiddenPhrase) {
  auto request = make_request({9});
  request.constraints = {{{}, {}, {{2}, {3, 4}, {4, 4, 5}, {}}}};
  for_every_hypothesis(
      request, [](DecodingConfig&) {},
      [](const Hypothesis& hypothesis) {
        for (const Prefix& phrase : {Prefix{2}, Prefix{3, 4}, Prefix{4, 4, 5}})
          EXPECT_FALSE(contains(hypothesis.tokens, phrase));
      });
}

TEST(LogitsProcessor, AllowsPartsOfAForbiddenPhrase) {
  TableModel model(
      4, 1,
      written_table({{{}, {0, 0.1, 0.6, 0.3}}, {{2}, {0, 0.3, 0.1, 0.6}}, {{2, 3}, {0, 1, 0, 0}}},
                    4));
  auto request = make_request({5});
  request.constraints = {{{}, {}, {{2, 3}}}};
  DecodingConfig config;
  config.beam_size = 1;
  EXPECT_THAT(search(model, request, config)[0][0].tokens, ElementsAre(2));
}

TEST(LogitsProcessor, TranslationsReachTheMinimumLength) {
  for_every_hypothesis(
      make_request({9}), [](DecodingConfig& config) { config.min_length = 4; },
      [](const Hypothesis& hypothesis) { EXPECT_GE(hypothesis.tokens.size(), 4u); });
}

// At the start of the translation, eos is more probable than any word.
TEST(LogitsProcessor, AllowsAnEmptyTranslationOnlyWhenTheMinimumLengthIsZero) {
  const auto table = written_table({{{}, {0, 0.9, 0.1, 0}}, {{2}, {0, 1, 0, 0}}}, 4);
  for (DecodingConfig config : searches()) {
    config.n_best = 1;
    TableModel model(4, 1, table);
    EXPECT_THAT(search(model, make_request({5}), config)[0][0].tokens, ElementsAre(2));
    if (config.sampling) continue;
    config.min_length = 0;
    TableModel other(4, 1, table);
    EXPECT_THAT(search(other, make_request({5}), config)[0][0].tokens, IsEmpty());
  }
}

TEST(LogitsProcessor, MinimumLengthCountsTheStopToken) {
  auto request = make_request({9});
  request.stop = 3;
  bool exactly = false;
  for_every_hypothesis(
      request, [](DecodingConfig& config) { config.min_length = 4; },
      [&](const Hypothesis& hypothesis) {
        EXPECT_GE(hypothesis.tokens.size(), 4u);
        exactly |= hypothesis.tokens.size() == 4 && hypothesis.tokens.back() == 3;
      });
  EXPECT_TRUE(exactly);
}

TEST(LogitsProcessor, MaximumLengthOverridesTheMinimumLength) {
  for_every_hypothesis(
      make_request({2}), [](DecodingConfig& config) { config.min_length = 4; },
      [](const Hypothesis& hypothesis) { EXPECT_EQ(hypothesis.tokens.size(), 2u); });
}

// A penalty of 2 squares the probability of a repeated token. After "2", another 2 falls from 0.5
// to 0.25, below token 3 with 0.4. After "2 3", another 2 falls from 0.5 to 0.25, which is still
// above eos with 0.2, and another 3 falls from 0.3 to 0.09.
TEST(LogitsProcessor, RepetitionPenaltyMultipliesTheLogProbabilityOfRepeatedTokens) {
  const auto table = written_table({{{}, {0, 0, 1, 0}},
                                    {{2}, {0, 0.1, 0.5, 0.4}},
                                    {{2, 3}, {0, 0.2, 0.5, 0.3}},
                                    {{2, 3, 2}, {0, 1, 0, 0}}},
                                   4);
  DecodingConfig config;
  config.beam_size = 1;
  config.length_penalty = 0;
  TableModel free(4, 1, table);
  EXPECT_THAT(search(free, make_request({9}), config)[0][0].tokens, ElementsAre(2, 2));
  config.repetition_penalty = 2;
  TableModel model(4, 1, table);
  const auto best = search(model, make_request({9}), config)[0][0];
  EXPECT_THAT(best.tokens, ElementsAre(2, 3, 2)) << "0.5 squared is 0.25, above the 0.2 of eos";
  EXPECT_NEAR(best.log_prob, std::log(0.4 * 0.5), 1e-6) << "the model's own log-probability";
  EXPECT_NEAR(best.penalty, std::log(0.5), 1e-6);
  EXPECT_NEAR(best.score, best.log_prob + best.penalty, 1e-6);
}

TEST(LogitsProcessor, RepetitionPenaltyAppliesExactlyToHypothesesThatRepeatAToken) {
  for_every_hypothesis(
      make_request({4}),
      [](DecodingConfig& config) {
        config.repetition_penalty = 100, config.sampling_topk = config.sampling ? 1 : 0;
      },
      [](const Hypothesis& hypothesis) {
        const std::set<std::int32_t> distinct(hypothesis.tokens.begin(), hypothesis.tokens.end());
        EXPECT_EQ(hypothesis.penalty == 0, distinct.size() == hypothesis.tokens.size());
      });
}

TEST(LogitsProcessor, ReturnsTheMostProbableAlternativesOfEachStep) {
  const auto table = written_table({{{}, {0, 0.1, 0.6, 0.3}}, {{2}, {0, 0.7, 0.1, 0.2}}}, 4);
  for (DecodingConfig config : searches()) {
    if (config.sampling) config.sampling_topk = 1;
    auto request = make_request({5});
    request.alternatives = 2;
    TableModel model(4, 1, table);
    const auto best = search(model, request, config)[0][0];
    ASSERT_EQ(best.tokens, Prefix{2});
    ASSERT_EQ(best.alternatives.size(), 2u) << "one list for the token, one for eos";
    EXPECT_EQ(best.alternatives[0].at(0).token, 3);
    EXPECT_NEAR(best.alternatives[0].at(0).log_prob, std::log(0.3), 1e-6);
    EXPECT_EQ(best.alternatives[0].at(1).token, table_eos);
    EXPECT_EQ(best.alternatives[1].at(0).token, 3);
    EXPECT_EQ(best.alternatives[1].at(1).token, 2);
  }
}

TEST(TopAlternatives, ReturnsFewerTokensWhenNoOthersArePossible) {
  const std::vector<float> row{-std::numeric_limits<float>::infinity(), -1, -0.5F, -1};
  const auto others = top_alternatives(NextTokens(row), 2, 5);
  ASSERT_EQ(others.size(), 2u);
  EXPECT_EQ(others[0].token, 1) << "ties go to the lower token";
  TableModel model(3, 1, written_table({{{}, {0, 0.5, 0.5}}}, 3));
  EXPECT_THAT(search(model, make_request({5}), DecodingConfig())[0][0].alternatives, IsEmpty());
}

}  // namespace
}  // namespace tfm
