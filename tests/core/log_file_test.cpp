#include "tfm/core/log_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "captured_log.h"
#include "temporary_folder.h"

namespace tfm {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

constexpr const char* line = "[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} ";

TEST(LogFile, ContainsTheMessagesLoggedBeforeAndAfterOpen) {
  const TemporaryFolder folder;
  const CapturedLog log;
  log_info("before the session");
  {
    LogFile file;
    log_info("first");
    log_debug("not shown");
    file.open(folder.path("train.log"));
    log_warn("second");
    write_to_log_file(LogLevel::error, "only in the file");
  }
  log_info("after the session");
  EXPECT_THAT(folder.read("train.log"), MatchesRegex(std::string("I ") + line + "first\nW " + line +
                                                     "second\nE " + line + "only in the file\n"));
  EXPECT_THAT(log.text(), Not(HasSubstr("only in the file")));
}

TEST(LogFile, KeepsTheMessagesOfEarlierSessions) {
  const TemporaryFolder folder;
  const CapturedLog log;
  for (const char* session : {"one", "two"}) {
    LogFile file;
    file.open(folder.path("train.log"));
    log_info("{}", session);
  }
  EXPECT_THAT(folder.read("train.log"),
              MatchesRegex(std::string("I ") + line + "one\nI " + line + "two\n"));
}

TEST(LogFile, EscapesControlCharacters) {
  const TemporaryFolder folder;
  const CapturedLog log;
  LogFile file;
  file.open(folder.path("train.log"));
  log_info("a\x1b[31mb");
  EXPECT_THAT(folder.read("train.log"), HasSubstr("a\\x1b[31mb"));
}

TEST(LogFile, ContainsInfoMessagesThatAQuietTerminalHides) {
  const TemporaryFolder folder;
  const CapturedLog log;
  logger()->set_level(spdlog::level::warn);
  LogFile file;
  file.open(folder.path("train.log"));
  log_info("information");
  EXPECT_EQ(log.text(), "");
  EXPECT_THAT(folder.read("train.log"), HasSubstr("information"));
}

TEST(LogFile, WarnsOnceIfTheFileCannotBeWritten) {
  const TemporaryFolder folder;
  const CapturedLog log;
  LogFile file;
  file.open(folder.path("missing") / "train.log");
  log_info("one");
  log_info("two");
  const auto warning = log.text().find("train.log can't be written");
  EXPECT_NE(warning, std::string::npos) << log.text();
  EXPECT_EQ(log.text().find("train.log can't be written", warning + 1), std::string::npos);
}

}  // namespace
}  // namespace tfm
