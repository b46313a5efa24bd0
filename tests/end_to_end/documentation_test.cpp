// Compares the generated pages of docs/ with the output of the program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "program.h"

namespace tfm {
namespace {

std::string read_page(const char* name) {
  std::ifstream page(std::filesystem::path(TFM_SOURCE_DIR) / "docs" / name);
  return {std::istreambuf_iterator<char>(page), {}};
}

/// Compares docs/NAME with the output of `tfm ARGUMENTS`, which must not depend on COLUMNS.
void expect_generated(const char* name, const std::string& arguments) {
  const Workplace place;
  const auto outcome = place.tfm(arguments, "", "COLUMNS=50");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out == read_page(name))
      << "docs/" << name << " is out of date. Regenerate it from the repository's root:\n  "
      << "build/release/tfm " << arguments << " > docs/" << name;
  EXPECT_THAT(outcome.out, testing::Not(testing::HasSubstr(TFM_SOURCE_DIR)));
}

TEST(GeneratedDocs, ConfigurationPageMatchesTheFieldTable) {
  expect_generated("configuration.md", "config explain --format markdown");
}

TEST(GeneratedDocs, CommandsPageMatchesTheHelpOfAllCommands) {
  expect_generated("commands.md", "help --format markdown");
}

}  // namespace
}  // namespace tfm
