#include "tfm/data/mixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "property.h"

namespace tfm {
namespace {

using testing::ElementsAre;

std::vector<std::int64_t> counts(const Mixture& mixture, std::int64_t epoch) {
  std::vector<std::int64_t> found;
  for (const SetDraws& set : mixture.draws(epoch)) found.push_back(set.count);
  return found;
}

std::vector<std::int64_t> firsts(const Mixture& mixture, std::int64_t epoch) {
  std::vector<std::int64_t> found;
  for (const SetDraws& set : mixture.draws(epoch)) found.push_back(set.first);
  return found;
}

std::vector<DataStage> stages(const std::vector<std::string>& texts) {
  std::vector<DataStage> parsed;
  for (const auto& text : texts) parsed.push_back(parse_stage(text).value());
  return parsed;
}

const std::vector<CorpusSet> clean_and_bt{{"clean", 0, 800}, {"bt", 800, 10'800}};

TEST(Mixture, DrawsEveryPairOnceWithoutStages) {
  const Mixture mixture(clean_and_bt, {});
  for (const std::int64_t epoch : {0, 1, 7}) {
    EXPECT_THAT(counts(mixture, epoch), ElementsAre(800, 10'000));
    EXPECT_THAT(firsts(mixture, epoch), ElementsAre(epoch * 800, epoch * 10'000));
  }
  EXPECT_EQ(Mixture(55).size(3), 55);
}

// The shares are the square roots of the sizes, 10 : 100; an epoch visits the larger set once.
TEST(Mixture, RepeatsSmallSetsWithATemperature) {
  const Mixture mixture({{"small", 0, 100}, {"large", 100, 10'100}}, {}, 2);
  EXPECT_THAT(counts(mixture, 0), ElementsAre(1000, 10'000));
  EXPECT_THAT(firsts(mixture, 3), ElementsAre(3000, 30'000));
  const Mixture flat({{"small", 0, 100}, {"large", 100, 10'100}}, {}, 1e9);
  EXPECT_THAT(counts(flat, 0), ElementsAre(testing::Ge(9'999), 10'000));
}

TEST(Mixture, EpochOfAStageVisitsItsSetOnceAndOthersByWeight) {
  const Mixture mixture(clean_and_bt, stages({"clean 0.8, bt 0.2"}));
  EXPECT_THAT(counts(mixture, 0), ElementsAre(800, 200));
  EXPECT_THAT(firsts(mixture, 5), ElementsAre(4000, 1000)) << "each epoch draws other pairs";
  EXPECT_EQ(mixture.size(0), 1000);
}

TEST(Mixture, StagesFollowEachOther) {
  const Mixture mixture(
      clean_and_bt, stages({"bt 9, clean 1 until bt 1", "clean 1, bt 1 until clean 2", "clean 1"}));
  EXPECT_THAT(counts(mixture, 0), ElementsAre(1111, 10'000));
  EXPECT_THAT(counts(mixture, 1), ElementsAre(800, 800));
  EXPECT_THAT(counts(mixture, 2), ElementsAre(800, 800));
  EXPECT_THAT(counts(mixture, 3), ElementsAre(800, 0));
  EXPECT_THAT(counts(mixture, 99), ElementsAre(800, 0)) << "the last stage has no end";
  EXPECT_THAT(firsts(mixture, 3), ElementsAre(1111 + 1600, 11'600));
  EXPECT_EQ(mixture.size_of_epochs(3), 1111 + 1600 + 11'600);
}

TEST(MixtureProperty, EpochsFollowEachOtherWithoutAGap) {
  check_property([] {
    const auto size = rc::gen::inRange<std::int64_t>(1, 1000);
    const std::int64_t a = *size, b = *size, c = *size;
    const Mixture mixture({{"a", 0, a}, {"b", a, a + b}, {"c", a + b, a + b + c}},
                          stages({"a 0.3, b 0.1, c 7 until b 2", "c 1, a 0.01 until a 1", "b 2"}));
    for (std::int64_t epoch = 0; epoch < 6; ++epoch) {
      const auto now = mixture.draws(epoch), next = mixture.draws(epoch + 1);
      for (std::size_t set = 0; set < 3; ++set)
        RC_ASSERT(now[set].first + now[set].count == next[set].first);
    }
  });
}

}  // namespace
}  // namespace tfm
