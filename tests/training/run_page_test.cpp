// Tests that a run keeps its page up to date. tests/run/run_page_file_test.cpp tests the page's
// content.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "small_run.h"
#include "tfm/core/atomic_file.h"
#include "tfm/run/run_page_file.h"
#include "tfm/training/run.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(RunPageFile, ShowsEachValidationAndEachValidationSetOfARun) {
  const TemporaryFolder folder;
  auto config = small_run(folder);
  config.data.valid_sets = {"easy=" + config.data.valid_source + "," + config.data.valid_target};
  config.training.valid_at_start = true;
  config.training.valid_samples = 2;
  const auto result = train({.config = config, .name = "test"});
  const auto report = read_run(result.folder);
  EXPECT_FALSE(report.running);
  EXPECT_THAT(report.config, HasSubstr("valid_sets: [\"easy="));
  ASSERT_EQ(report.samples.size(), 2u);
  EXPECT_THAT(report.samples[0].hypotheses, ElementsAre(Pair(0, testing::_), Pair(4, testing::_),
                                                        Pair(8, testing::_), Pair(12, testing::_)));
  ASSERT_EQ(report.charts[0].curves.size(), 3u);
  EXPECT_EQ(report.charts[0].curves[1].points, report.charts[0].curves[2].points)
      << "both sets consist of the same files";
  EXPECT_THAT(read_file(result.folder / page_file), HasSubstr("finished: max_steps 12 reached"));
  EXPECT_THAT(read_file(result.folder / "report.json"), HasSubstr("\"easy\""));
}

}  // namespace
}  // namespace tfm
