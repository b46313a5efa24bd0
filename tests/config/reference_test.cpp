#include "tfm/config/reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tfm/core/markdown.h"

namespace tfm {
namespace {

using testing::HasSubstr;

TEST(ConfigReference, ContainsTheKeyAndHelpTextOfEveryField) {
  const std::string page = config_reference();
  for (const Field& field : fields()) {
    EXPECT_THAT(page, HasSubstr("\n## " + field.section + "\n"));
    EXPECT_THAT(page, HasSubstr("\n### " + field.key() + "\n"));
    EXPECT_THAT(page, HasSubstr(escape_markdown(field.doc)));
  }
  EXPECT_THAT(page, HasSubstr("### training.seed\n\nwhole number between 0 and 4294967295; "
                              "default: `1`\n"));
}

TEST(DescribeValues, NamesTypeRangeAndKeyword) {
  EXPECT_EQ(describe_values(field_of(&Config::training, &TrainingConfig::batch_size)),
            "whole number at least 1, or auto");
  EXPECT_EQ(describe_values(field_of(&Config::model, &ModelConfig::norm_order)),
            "one of post or pre");
}

}  // namespace
}  // namespace tfm
