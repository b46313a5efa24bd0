#include "tfm/core/line_progress.h"

#include <gtest/gtest.h>

#include "captured_log.h"
#include "temporary_folder.h"

namespace tfm {
namespace {

TEST(FormatProgress, ContainsLinesShareSpeedAndTimeLeft) {
  EXPECT_EQ(format_progress({.lines = 500, .new_lines = 500, .seconds = 10, .share = 0.25}),
            "500 lines, 25.0%, 50.0 lines/s, 30s left");
}

TEST(FormatProgress, ComputesTheSpeedFromTheLinesOfThisSession) {
  EXPECT_EQ(format_progress(
                {.lines = 600, .new_lines = 100, .seconds = 10, .share = 0.75, .first_share = 0.5}),
            "600 lines, 75.0%, 10.0 lines/s, 10s left");
}

TEST(FormatProgress, OmitsShareAndTimeLeftIfTheSizeIsUnknown) {
  EXPECT_EQ(format_progress({.lines = 500, .new_lines = 500, .seconds = 10}),
            "500 lines, 50.0 lines/s");
}

TEST(FormatProgress, ShowsAQuestionMarkAsTheTimeLeftBeforeTheFirstLine) {
  EXPECT_EQ(format_progress({.share = 0.5, .first_share = 0.5}),
            "0 lines, 50.0%, 0.0 lines/s, ? left");
}

TEST(FormatTotal, ContainsLinesTimeAndSpeed) {
  EXPECT_EQ(format_total({.lines = 1100, .new_lines = 1000, .seconds = 12.34}),
            "1000 lines in 12.3 s, 81.0 lines/s");
  EXPECT_EQ(format_total({.lines = 1, .new_lines = 1, .seconds = 200}),
            "1 line in 3m20s, 0.0 lines/s");
}

TEST(ShareOfFile, ReturnsTheShareOfTheBytesThatWereRead) {
  TemporaryFolder folder;
  folder.write("text", std::string(200'000, 'a') + "\n" + std::string(200'000, 'b') + "\n");
  LineReader reader(folder.path("text"));
  const auto share = share_of_file(reader);
  EXPECT_EQ(share(), 0);
  std::string line;
  reader.next(line);
  EXPECT_GE(share(), 0.5);
  EXPECT_LT(share(), 1);
  while (reader.next(line)) continue;
  EXPECT_EQ(share(), 1);
}

TEST(ShareOfFile, IsNullForADevice) {
  const LineReader reader("/dev/null");
  EXPECT_EQ(share_of_file(reader), nullptr);
}

TEST(LineProgress, LogTotalCountsOnlyTheLinesOfThisSession) {
  const CapturedLog log;
  LineProgress progress;
  progress.begin(100);
  progress.log_total("translated", 103);
  EXPECT_TRUE(log.text().starts_with("translated 3 lines in 0.0 s, ")) << log.text();
}

}  // namespace
}  // namespace tfm
