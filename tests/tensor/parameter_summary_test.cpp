#include "tfm/tensor/parameter_summary.h"

#include <gtest/gtest.h>

namespace tfm {
namespace {

TEST(FormatParameterSummary, SaysWhichMatricesAreShared) {
  EXPECT_EQ(format_parameter_summary({{"encoder", 900, 1}, {"source_embedding", 100, 1}}),
            "  encoder                         900    90.0%\n"
            "  source_embedding                100    10.0%  shared with target and output\n"
            "  all                           1,000   100.0%\n");
  EXPECT_EQ(format_parameter_summary({{"target_embedding", 100, 1}, {"source_embedding", 100, 1}}),
            "  target_embedding                100    50.0%  shared with output\n"
            "  source_embedding                100    50.0%\n"
            "  all                             200   100.0%\n");
  EXPECT_EQ(format_parameter_summary(
                {{"output", 2, 1}, {"source_embedding", 1, 1}, {"target_embedding", 1, 1}}),
            "  output                            2    50.0%\n"
            "  source_embedding                  1    25.0%\n"
            "  target_embedding                  1    25.0%\n"
            "  all                               4   100.0%\n");
}

}  // namespace
}  // namespace tfm
