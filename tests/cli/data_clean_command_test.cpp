#include "cli/data_clean_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "parsed.h"

namespace tfm {
namespace {

using testing::ElementsAre;

TEST(DataCleanCommand, ParsesFilesAndRules) {
  const auto options =
      parsed(data_clean_command, {"data", "clean", "a.de", "a.en", "-o", "b", "--max-words", "80",
                                  "--urls", "off", "--format", "json", "--memory", "64"});
  ASSERT_TRUE(options);
  EXPECT_THAT(options->text, ElementsAre("a.de", "a.en"));
  EXPECT_EQ(options->output, "b");
  EXPECT_EQ(options->format, CleaningFormat::json);
  EXPECT_EQ(options->memory, 64);
  for (std::size_t i = 0; i < rules().size(); ++i) {
    const std::string name = rules()[i].name;
    const auto expected = name == "max_words" ? std::optional<double>(80)
                          : name == "urls"    ? std::nullopt
                                              : rules()[i].value;
    EXPECT_EQ(options->rules[i], expected) << name;
  }
}

TEST(DataCleanCommand, RequiresTextAndOutput) {
  EXPECT_FALSE(parsed(data_clean_command, {"data", "clean", "a.de", "a.en"}));
  EXPECT_FALSE(parsed(data_clean_command, {"data", "clean", "-o", "b"}));
  EXPECT_FALSE(parsed(data_clean_command, {"data", "clean", "a", "b", "c", "-o", "b"}));
}

}  // namespace
}  // namespace tfm
