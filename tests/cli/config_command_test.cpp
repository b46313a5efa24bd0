#include "cli/config_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/config_init_command.h"
#include "parsed.h"

namespace tfm {
namespace {

using testing::ElementsAre;

TEST(ConfigCommands, ParseTheirArgumentsAndOptions) {
  const auto check = parsed(config_check_command, {"config", "check", "a.yaml", "model.heads=2"});
  ASSERT_TRUE(check);
  EXPECT_EQ(check->file, "a.yaml");
  EXPECT_THAT(check->overrides, ElementsAre("model.heads=2"));
  EXPECT_FALSE(parsed(config_check_command, {"config", "check"}));
  const auto explain =
      parsed(config_explain_command, {"config", "explain", "model", "training.seed"});
  ASSERT_TRUE(explain);
  EXPECT_THAT(explain->keys, ElementsAre("model", "training.seed"));
  EXPECT_EQ(explain->format, ExplainFormat::text);
  const auto init = parsed(config_init_command, {"config", "init", "--source", "a", "--target", "b",
                                                 "--preset", "base", "-o", "my.yaml", "--force"});
  ASSERT_TRUE(init);
  EXPECT_EQ(init->files.train.source, "a");
  EXPECT_EQ(init->files.train.target, "b");
  EXPECT_EQ(init->preset, "base");
  EXPECT_EQ(init->output, "my.yaml");
  EXPECT_TRUE(init->force);
  const auto brief = parsed(config_init_command, {"config", "init", "a", "b", "--minutes", "30"});
  ASSERT_TRUE(brief);
  EXPECT_EQ(brief->files.train.source, "a");
  EXPECT_EQ(brief->files.train.target, "b");
  EXPECT_EQ(brief->minutes, 30);
  EXPECT_FALSE(parsed(config_init_command, {"config", "init", "--preset", "none"}));
  EXPECT_FALSE(parsed(config_init_command, {"config", "init", "--valid-source", "a"}));
  EXPECT_TRUE(parsed(config_schema_command, {"config", "schema"}));
}

}  // namespace
}  // namespace tfm
