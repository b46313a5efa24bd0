#include "tfm/config/config_diff.h"

#include <gtest/gtest.h>

namespace tfm {
namespace {

bool accept_all(const Field&) { return true; }

TEST(ConfigDiffTable, AlignsColumns) {
  Config before;
  Config after;
  after.training.learning_rate = 0.25;
  after.training.shuffle = false;
  after.training.init_from = "runs/first";
  EXPECT_EQ(to_table(diff_configs(before, after, accept_all)),
            "\n  field                   before  after"
            "\n  training.init_from      \"\"      runs/first"
            "\n  training.shuffle        true    false"
            "\n  training.learning_rate  0.001   0.25");
}

TEST(DiffConfigs, ReturnsOnlyRelevantFields) {
  Config before;
  Config after;
  after.training.seed = 2;
  after.model.heads = 4;
  const auto changes =
      diff_configs(before, after, [](const Field& field) { return field.section == "model"; });
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].key, "model.heads");
  EXPECT_EQ(changes[0].before, "8");
  EXPECT_EQ(changes[0].after, "4");
}

TEST(ConfigDiffTable, IsEmptyWithoutDifferences) {
  EXPECT_EQ(to_table(diff_configs(Config(), Config(), accept_all)), "");
}

TEST(ConfigDiffTable, LongValueShiftsOnlyItsOwnLine) {
  Config before;
  Config after;
  before.data.train_source = std::string(80, 'x');
  before.training.seed = 3;
  const auto table = to_table(diff_configs(before, after, accept_all));
  EXPECT_NE(table.find(std::string(80, 'x') + "  \"\""), std::string::npos) << table;
  EXPECT_NE(table.find("training.seed      3" + std::string(49, ' ') + "  1"), std::string::npos)
      << table;
}

}  // namespace
}  // namespace tfm
