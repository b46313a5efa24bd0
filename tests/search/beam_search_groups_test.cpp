// Tests of diverse beam search (beam_groups > 1).
#include <gmock/gmock.h>

#include "table_model.h"
#include "tfm/search/beam_search.h"

namespace tfm {
namespace {

using testing::ElementsAre;

DecodingConfig groups(std::int64_t beam_size, std::int64_t count, double strength) {
  DecodingConfig config;
  config.beam_size = config.n_best = beam_size;
  config.beam_groups = count;
  config.diversity_strength = strength;
  config.length_penalty = 0;
  return config;
}

std::vector<Prefix> texts(const std::vector<Hypothesis>& hypotheses) {
  std::vector<Prefix> result;
  for (const Hypothesis& hypothesis : hypotheses) result.push_back(hypothesis.tokens);
  return result;
}

// Two groups have one hypothesis each. The first takes token 2 (probability 0.6). The second then
// compares token 2 at log 0.6 - strength with token 3 at log 0.3. It prefers token 3 once the
// strength exceeds log 2 = 0.693.
TEST(DiverseBeamSearch, LaterGroupTakesAnotherTokenWhenDiversityStrengthExceedsTheScoreGap) {
  const auto table = written_table({{{}, {0, 0.1, 0.6, 0.3}}}, 4);
  TableModel weak(4, 1, table);
  EXPECT_THAT(texts(beam_search(weak, make_request({3}), groups(2, 2, 0.69))[0]),
              ElementsAre(Prefix{2}, Prefix{2}));
  TableModel strong(4, 1, table);
  const auto found = beam_search(strong, make_request({3}), groups(2, 2, 0.70))[0];
  EXPECT_THAT(texts(found), ElementsAre(Prefix{2}, Prefix{3}));
  EXPECT_NEAR(found[1].score, std::log(0.3), 1e-6) << "scores are without the diversity term";
}

// Three groups have one hypothesis each. In the third group, token 2 (0.6) is penalised twice,
// because the second group still takes 2.
TEST(DiverseBeamSearch, PenalisesATokenOncePerEarlierGroupThatTookIt) {
  // log(0.6 / 0.4) = 0.405 is more than one penalty and less than two
  TableModel model(4, 1, written_table({{{}, {0, 0.0, 0.6, 0.4}}}, 4));
  EXPECT_THAT(texts(beam_search(model, make_request({3}), groups(3, 3, 0.3))[0]),
              ElementsAre(Prefix{2}, Prefix{2}, Prefix{3}));
}

TEST(DiverseBeamSearch, RunsIdenticalIndependentBeamsWhenDiversityStrengthIsZero) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    TableModel grouped(9, 2, random_table(seed, 9));
    TableModel plain(9, 2, random_table(seed, 9));
    const auto found = beam_search(grouped, make_request({6, 3}), groups(6, 3, 0));
    const auto one = beam_search(plain, make_request({6, 3}), groups(2, 1, 0));
    for (std::size_t i = 0; i < 2; ++i) {
      ASSERT_EQ(found[i].size(), 3 * one[i].size());
      for (std::size_t k = 0; k < found[i].size(); ++k)
        EXPECT_EQ(found[i][k].score, one[i][k / 3].score);
    }
  }
}

TEST(DiverseBeamSearch, GroupsStartWithDifferentTokensWhenDiversityStrengthIsLarge) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    TableModel model(12, 1, random_table(seed, 12));
    auto config = groups(3, 3, 100);
    config.min_length = 1;
    std::set<std::int32_t> first;
    const auto found = beam_search(model, make_request({6}), config)[0];
    for (const Hypothesis& hypothesis : found) first.insert(hypothesis.tokens.at(0));
    EXPECT_EQ(first.size(), 3u) << "seed " << seed;
  }
}

}  // namespace
}  // namespace tfm
