#include "tfm/help/help_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tfm {
namespace {

using testing::HasSubstr;

TEST(HelpText, UsesBoldTitlesOnlyIfTheStyleAsksForThem) {
  const HelpPage page{.name = "tfm x",
                      .summary = "Does x.",
                      .usage = "tfm x",
                      .details = "",
                      .examples = {"tfm x"},
                      .groups = {{"Options", {{"-a", "First", "default: 1"}}}},
                      .read_more = ""};
  EXPECT_EQ(help_text(page, {}),
            "Does x.\n\nUsage:\n  tfm x\n\nExamples:\n  tfm x\n\nOptions:\n"
            "  -a  First [default: 1]\n");
  EXPECT_THAT(help_text(page, {.width = 100, .bold_titles = true}),
              HasSubstr("\n\033[1mOptions:\033[0m\n"));
}

}  // namespace
}  // namespace tfm
