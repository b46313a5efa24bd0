#include "tfm/help/man_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tfm {
namespace {

using testing::HasSubstr;

HelpPage train_page() {
  HelpPage page;
  page.name = "tfm train";
  page.summary = "Trains.";
  page.usage = "tfm train [OPTIONS]";
  page.details = ".A path \\ with a dot.";
  page.examples = {"tfm train a.yaml"};
  page.groups = {{"Options", {{"-c, --config FILE", "Config", "required"}}}};
  return page;
}

TEST(ManPage, HasTheSectionsOfAManualPage) {
  HelpPage program;
  program.name = "tfm";
  program.summary = "Trains models.";
  program.usage = "tfm COMMAND";
  program.groups = {{"Train", {{"train", "Trains", ""}}}};
  const std::string page = man_page(program, {train_page()});
  EXPECT_THAT(page, testing::StartsWith(".TH TFM 1 \"\" \"tfm " TFM_VERSION "\""));
  for (const char* title : {"NAME", "SYNOPSIS", "DESCRIPTION", "TFM TRAIN"})
    EXPECT_THAT(page, HasSubstr(std::string(".SH \"") + title + "\"\n"));
  EXPECT_THAT(page, HasSubstr("\ntfm \\- Trains models\n"));
  EXPECT_THAT(page, HasSubstr(".TP\n.B \\-c, \\-\\-config FILE\nConfig [required]\n"));
}

TEST(ManPage, EscapesTextThatTroffWouldReadAsACommand) {
  EXPECT_THAT(man_page(HelpPage{}, {train_page()}), HasSubstr("\n\\&.A path \\e with a dot.\n"));
}

}  // namespace
}  // namespace tfm
