#include "tfm/core/error.h"

#include <gtest/gtest.h>

namespace tfm {
namespace {

TEST(Error, SaysWhereWhatAndWhatToDo) {
  const DataError error("train.de:881", "is not valid UTF-8", "Convert it.");
  EXPECT_STREQ(error.what(), "train.de:881: is not valid UTF-8\n  Convert it.");
  EXPECT_STREQ(DataError("", "nothing left").what(), "nothing left");
}

TEST(Error, ExitCodesTellUsageFromFailureFromInterruption) {
  EXPECT_EQ(ConfigError("", "x").exit_code(), 2);
  EXPECT_EQ(DataError("", "x").exit_code(), 1);
  EXPECT_EQ(ModelError("", "x").exit_code(), 1);
  EXPECT_EQ(Interrupted("x").exit_code(), 130);
}

}  // namespace
}  // namespace tfm
