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
  EXPECT_EQ(options->format, ReportFormat::json);
  EXPECT_EQ(options->memory, 64);
  for (std::size_t i = 0; i < rules().size(); ++i) {
    const std::string name = rules()[i].name;
    const auto expected = name == "max_words" ? std::optional<double>(80)
                          : name == "urls"    ? std::nullopt
                                              : rules()[i].value;
    EXPECT_EQ(options->rules[i], expected) << name;
  }
}

TEST(DataCleanCommand, ParsesModelsAndTheirRules) {
  const auto options =
      parsed(data_clean_command, {"data", "clean", "a.de", "a.en", "-o", "b", "--model", "de-en",
                                  "--reverse-model", "en-de", "--min-score", "0.02", "--device",
                                  "cpu", "--threads", "3", "--report-html", "c.html"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->models.model, "de-en");
  EXPECT_EQ(options->models.reverse_model, "en-de");
  EXPECT_EQ(options->models.runtime.device, "cpu");
  EXPECT_EQ(options->models.runtime.threads, 3);
  EXPECT_EQ(options->page, "c.html");
  for (std::size_t i = 0; i < rules().size(); ++i) {
    if (!needs_model(rules()[i])) continue;
    const bool is_given = rules()[i].name == std::string("min_score");
    EXPECT_EQ(options->rules[i], is_given ? std::optional<double>(0.02) : std::nullopt)
        << rules()[i].name << " is off unless it is given";
  }
  EXPECT_FALSE(parsed(data_clean_command,
                      {"data", "clean", "a.de", "a.en", "-o", "b", "--min-score", "-2"}));
}

TEST(DataCleanCommand, RequiresTextAndOutput) {
  EXPECT_FALSE(parsed(data_clean_command, {"data", "clean", "a.de", "a.en"}));
  EXPECT_FALSE(parsed(data_clean_command, {"data", "clean", "-o", "b"}));
  EXPECT_FALSE(parsed(data_clean_command, {"data", "clean", "a", "b", "c", "-o", "b"}));
}

}  // namespace
}  // namespace tfm
