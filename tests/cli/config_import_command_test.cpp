#include "cli/config_import_command.h"

#include <gtest/gtest.h>

#include "parsed.h"

namespace tfm {
namespace {

TEST(ConfigImportCommand, ParsesItsOptions) {
  const auto options =
      parsed(config_import_command, {"config", "import", "train.yml", "-o", "my.yaml", "--force"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->file, "train.yml");
  EXPECT_EQ(options->output, "my.yaml");
  EXPECT_TRUE(options->force);
  EXPECT_FALSE(parsed(config_import_command, {"config", "import"}));
}

}  // namespace
}  // namespace tfm
