#include "tfm/search/penalties.h"

#include <gmock/gmock.h>

#include "table_model.h"
#include "tfm/core/error.h"
#include "tfm/search/beam_search.h"

namespace tfm {
namespace {

using testing::ElementsAre;

TEST(CoveragePenalty, EqualsTheFormulaOfWuEtAl) {
  EXPECT_NEAR(coverage_penalty(std::vector<float>{0.5F, 1.0F, 3.0F, 0.25F}, 0.2),
              0.2 * std::log(0.5 * 0.25), 1e-9);
  EXPECT_EQ(coverage_penalty({}, 0.2), 0);
  EXPECT_TRUE(std::isfinite(coverage_penalty(std::vector<float>{0}, 0.2)));
}

TEST(BanRepeatedNgrams, BansTokensThatWouldRepeatAnNgram) {
  const auto banned = [](const Prefix& tokens, std::int64_t size) {
    Prefix result;
    ban_repeated_ngrams(tokens, size, result);
    return result;
  };
  EXPECT_THAT(banned({2, 3, 4, 2}, 2), ElementsAre(3));
  EXPECT_THAT(banned({2, 3, 2, 4, 2}, 2), ElementsAre(3, 4));
  EXPECT_THAT(banned({2, 3, 4, 2, 3}, 3), ElementsAre(4));
  EXPECT_THAT(banned({2, 3}, 1), ElementsAre(2, 3));
  EXPECT_TRUE(banned({2, 3}, 0).empty());
  EXPECT_TRUE(banned({2, 3}, 3).empty());
}

DecodingConfig beam_of_two() {
  DecodingConfig config;
  config.beam_size = config.n_best = 2;
  config.length_penalty = 0;
  return config;
}

std::vector<Prefix> texts(const std::vector<Hypothesis>& hypotheses) {
  std::vector<Prefix> result;
  for (const Hypothesis& hypothesis : hypotheses) result.push_back(hypothesis.tokens);
  return result;
}

/// Returns a model whose first token has the probabilities `first_step`. The translation "2" covers
/// the second source token only partly; "3 2" covers it completely.
TableModel reader(const std::vector<double>& first_step) {
  TableModel model(4, 1, written_table({{{}, first_step}, {{3}, {0, 0.1, 0.9, 0}}}, 4));
  model.attention_table = [](std::int32_t, const Prefix& prefix) {
    // The third source token is padding.
    return prefix.empty() ? std::vector<float>{0.9F, 0.1F, 0} : std::vector<float>{0.3F, 0.7F, 0};
  };
  return model;
}

// With "2", the source tokens receive 0.9 + 0.3 and 0.1 + 0.7 attention, eos included. "3 2" takes
// one more step and covers both source tokens completely.
TEST(CoveragePenalty, CanChangeTheRanking) {
  auto request = make_request({5});
  request.source_lengths = {2};
  auto config = beam_of_two();
  auto plain = reader({0, 0, 0.5, 0.5});
  const auto before = beam_search(plain, request, config)[0];
  EXPECT_THAT(texts(before), ElementsAre(Prefix{2}, Prefix({3, 2})));
  config.coverage_penalty = 1;
  auto model = reader({0, 0, 0.5, 0.5});
  const auto after = beam_search(model, request, config)[0];
  EXPECT_THAT(texts(after), ElementsAre(Prefix({3, 2}), Prefix{2}));
  EXPECT_NEAR(after[0].score, std::log(0.45), 1e-5) << "coverages of 1.5 count as 1";
  EXPECT_NEAR(after[1].score, std::log(0.5) + std::log(0.8), 1e-5);
  EXPECT_NEAR(after[1].log_prob, std::log(0.5), 1e-6);
}

TEST(CoveragePenalty, ThrowsWhenTheModelProvidesNoAttention) {
  auto config = beam_of_two();
  config.coverage_penalty = 1;
  auto request = make_request({5});
  request.source_lengths = {2};
  TableModel model(4, 1, written_table({{{}, {0, 0, 0.5, 0.5}}}, 4));
  EXPECT_THROW(beam_search(model, request, config), ConfigError);
}

}  // namespace
}  // namespace tfm
