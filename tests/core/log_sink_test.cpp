#include "tfm/core/log_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "captured_log.h"
#include "tfm/core/log.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

using Messages = std::vector<std::pair<LogLevel, std::string>>;

TEST(SetLogSink, PassesMessagesOfTheLevelAndAboveWithTheirLevels) {
  const CapturedLog restored_afterwards;
  Messages messages;
  set_log_sink([&](LogLevel level, std::string_view text) { messages.emplace_back(level, text); },
               LogLevel::warn);
  log_info("step {}", 1);
  log_warn("{} lines are empty", 2);
  log_error("no");
  EXPECT_THAT(messages,
              ElementsAre(Pair(LogLevel::warn, "2 lines are empty"), Pair(LogLevel::error, "no")));
}

TEST(SetLogSink, DiscardsMessagesIfTheSinkIsEmpty) {
  const CapturedLog restored_afterwards;
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  set_log_sink({});
  log_error("this is discarded");
  EXPECT_THAT(testing::internal::GetCapturedStderr(), IsEmpty());
  EXPECT_THAT(testing::internal::GetCapturedStdout(), IsEmpty());
}

}  // namespace
}  // namespace tfm
