#include "tfm/config/commented_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tfm/config/config_file.h"

namespace tfm {
namespace {

using testing::HasSubstr;

std::vector<CommentedField> chosen_fields() {
  return {{&field_of(&Config::model, &ModelConfig::heads), "it suits the size."},
          {&field_of(&Config::model, &ModelConfig::bias), ""},
          {&field_of(&Config::data, &DataConfig::train_source), ""},
          {&field_of(&Config::data, &DataConfig::train_target), ""},
          {&field_of(&Config::data, &DataConfig::valid_source), "fill it in.", false}};
}

TEST(WriteCommentedConfig, WritesTextThatParseConfigReadsBack) {
  Config config;
  config.model.heads = 4;
  config.data.train_source = "a \"b\": # c.de";
  config.data.train_target = "true";
  const Config read = parse_config(write_commented_config(config, "Test", chosen_fields()), "test");
  EXPECT_EQ(read.model.heads, 4);
  EXPECT_EQ(read.data.train_source, config.data.train_source);
  EXPECT_EQ(read.data.train_target, config.data.train_target);
}

TEST(WriteCommentedConfig, PutsTheExplanationOfEachFieldAboveTheField) {
  const std::string text = write_commented_config(Config{}, "Test", chosen_fields());
  EXPECT_THAT(text, testing::StartsWith("# Test\n\nmodel:\n  # "));
  EXPECT_THAT(text, HasSubstr("\n  # Here: it suits the size.\n  heads: 8\n\n  # "));
  EXPECT_THAT(text, HasSubstr("\ndata:\n"));
  EXPECT_THAT(text, HasSubstr("\n  # valid_source: \"\"\n")) << "commented out";
}

}  // namespace
}  // namespace tfm
