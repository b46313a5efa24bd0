#include "cli/data_prepare_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parsed.h"

namespace tfm {
namespace {

using testing::ElementsAre;

TEST(DataPrepareCommand, ParsesConfigAndOverrides) {
  const auto options =
      parsed(data_prepare_command, {"data", "prepare", "a.yaml", "data.cache=b", "--threads", "3"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->config, "a.yaml");
  EXPECT_THAT(options->overrides, ElementsAre("data.cache=b", "training.threads=3"));
  EXPECT_FALSE(parsed(data_prepare_command, {"data", "prepare"}));
}

}  // namespace
}  // namespace tfm
