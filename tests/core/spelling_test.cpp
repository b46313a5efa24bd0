#include "tfm/core/spelling.h"

#include <gtest/gtest.h>

namespace tfm {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsAndSubstitutions) {
  EXPECT_EQ(edit_distance("train", "train"), 0U);
  EXPECT_EQ(edit_distance("train", "traim"), 1U);
  EXPECT_EQ(edit_distance("train", "rain"), 1U);
  EXPECT_EQ(edit_distance("train", "strain"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
}

TEST(IsBeginning, RequiresThreeLettersAndALongerName) {
  EXPECT_TRUE(is_beginning("war", "warmup_steps"));
  EXPECT_FALSE(is_beginning("wa", "warmup_steps"));
  EXPECT_FALSE(is_beginning("seed", "seed"));
  EXPECT_FALSE(is_beginning("steps", "warmup_steps"));
}

TEST(NearestName, ReturnsTheFirstOfTheNearestNames) {
  EXPECT_EQ(nearest_name("traim", {"translate", "train", "trail"}), "train");
  EXPECT_EQ(nearest_name("transalte", {"train", "translate"}), "translate");
}

TEST(NearestName, PrefersANameThatBeginsWithTheWord) {
  EXPECT_EQ(nearest_name("rep", {"help", "report"}), "report");
  EXPECT_EQ(nearest_name("eval", {"translate", "evaluate"}), "evaluate");
  EXPECT_EQ(nearest_name("ev", {"evaluate"}), "") << "two letters may begin many names";
}

TEST(NearestName, IsEmptyWhenNoNameIsNear) {
  EXPECT_EQ(nearest_name("fly", {"translate", "evaluate"}), "");
  EXPECT_EQ(nearest_name("train", {}), "");
}

}  // namespace
}  // namespace tfm
