#include "cli/data_preview_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parsed.h"

namespace tfm {
namespace {

using testing::ElementsAre;

TEST(DataPreviewCommand, ParsesItsOptions) {
  auto options = parsed(data_preview_command, {"data", "preview", "a.yaml"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->config, "a.yaml");
  EXPECT_EQ(options->request.pairs, 10);
  EXPECT_EQ(options->request.epoch, 1);
  EXPECT_FALSE(options->request.only_changed);
  EXPECT_FALSE(options->tokens);
  EXPECT_EQ(options->format, ReportFormat::text);
  options = parsed(data_preview_command, {"data", "preview", "a.yaml", "data.modifiers=typos=0.5",
                                          "--lines", "3", "--epoch", "4", "--changed", "--modifier",
                                          "typos", "--tokens", "--format", "json"});
  ASSERT_TRUE(options);
  EXPECT_THAT(options->overrides, ElementsAre("data.modifiers=typos=0.5"));
  EXPECT_EQ(options->request.pairs, 3);
  EXPECT_EQ(options->request.epoch, 4);
  EXPECT_TRUE(options->request.only_changed);
  EXPECT_EQ(options->modifier, "typos");
  EXPECT_TRUE(options->tokens);
  EXPECT_EQ(options->format, ReportFormat::json);
}

TEST(DataPreviewCommand, RefusesUnknownModifiersAndEpochs) {
  EXPECT_FALSE(parsed(data_preview_command, {"data", "preview"}));
  EXPECT_FALSE(parsed(data_preview_command, {"data", "preview", "a", "--modifier", "typo"}));
  EXPECT_FALSE(parsed(data_preview_command, {"data", "preview", "a", "--epoch", "0"}));
}

}  // namespace
}  // namespace tfm
