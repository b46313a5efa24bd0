#include "tfm/core/work_progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "captured_log.h"

namespace tfm {
namespace {

using testing::IsEmpty;

TEST(WorkProgress, LogsEveryTenSecondsIfThereIsNoTerminal) {
  const CapturedLog log;
  WorkProgress progress("cleaning", "pair", 100);
  for (int second = 0; second <= 25; ++second)
    progress.show(10 * second, 0.01 * second, 100 + second);
  EXPECT_EQ(log.text(),
            "cleaning: 100 pairs, 10.0%, 10.0 pairs/s, 1m30s left\n"
            "cleaning: 200 pairs, 20.0%, 10.0 pairs/s, 1m20s left\n");
}

TEST(WorkProgress, ShowsPartsWithoutACountAndTheRateSinceCountingBegan) {
  const CapturedLog log;
  WorkProgress progress("learning", "subword", 100);
  for (int second = 1; second <= 25; ++second) progress.show("sorting", 100 + second);
  progress.begin_count(125);
  for (int second = 26; second <= 35; ++second)
    progress.show(second - 25, 0.01 * (second - 25), 100 + second);
  EXPECT_EQ(log.text(),
            "learning: sorting, 10s\n"
            "learning: sorting, 20s\n"
            "learning: 5 subwords, 5.0%, 1.0 subwords/s, 1m35s left\n");
}

TEST(WorkProgress, LogsNothingAboutShortWork) {
  const CapturedLog log;
  WorkProgress progress("cleaning", "pair", 100);
  for (int i = 0; i < 1000; ++i) progress.show(i, std::nullopt, 109.9);
  EXPECT_THAT(log.text(), IsEmpty());
}

}  // namespace
}  // namespace tfm
