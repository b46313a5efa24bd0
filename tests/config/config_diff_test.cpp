#include "tfm/config/config_diff.h"

#include <gtest/gtest.h>

namespace tfm {
namespace {

bool any(const Field&) { return true; }

TEST(ConfigChanges, StandInAlignedColumns) {
  Config then;
  Config now;
  now.training.learning_rate = 0.25;
  now.training.shuffle = false;
  now.training.init_from = "runs/first";
  EXPECT_EQ(to_table(diff_configs(then, now, any)),
            "\n  field                   then   now"
            "\n  training.init_from      \"\"     runs/first"
            "\n  training.shuffle        true   false"
            "\n  training.learning_rate  0.001  0.25");
}

TEST(ConfigChanges, AreThoseThatAreAskedFor) {
  Config then;
  Config now;
  now.training.seed = 2;
  now.model.heads = 4;
  const auto changes =
      diff_configs(then, now, [](const Field& field) { return field.section == "model"; });
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].key, "model.heads");
  EXPECT_EQ(changes[0].then, "8");
  EXPECT_EQ(changes[0].now, "4");
}

TEST(ConfigChanges, AreNoTableWhereThereAreNone) {
  EXPECT_EQ(to_table(diff_configs(Config(), Config(), any)), "");
}

TEST(ConfigChanges, AVeryLongValueMovesItsOwnLineOnly) {
  Config then;
  Config now;
  then.data.train_source = std::string(80, 'x');
  then.training.seed = 3;
  const auto table = to_table(diff_configs(then, now, any));
  EXPECT_NE(table.find(std::string(80, 'x') + "  \"\""), std::string::npos) << table;
  EXPECT_NE(table.find("training.seed      3" + std::string(49, ' ') + "  1"), std::string::npos)
      << table;
}

}  // namespace
}  // namespace tfm
