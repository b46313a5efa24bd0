#include "tfm/core/json_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "captured_log.h"
#include "tfm/core/log.h"

namespace tfm {
namespace {

using nlohmann::json;

class JsonLog : public testing::Test {
 protected:
  /// Returns the objects that the function logs.
  template <class Function>
  std::vector<json> logged(Function function) {
    testing::internal::CaptureStderr();
    function();
    std::istringstream lines(testing::internal::GetCapturedStderr());
    std::vector<json> objects;
    for (std::string line; std::getline(lines, line);) objects.push_back(json::parse(line));
    return objects;
  }

  const CapturedLog restored_afterwards;
};

TEST_F(JsonLog, WritesEachMessageAsAnObjectOnALine) {
  use_json_log();
  const auto objects = logged([] {
    log_warn("{} \"lines\"\nare empty", 2);
    log_debug("debug messages are not shown");
    log_error("\xff");
  });
  ASSERT_EQ(objects.size(), 2U);
  EXPECT_EQ(objects[0]["level"], "warning");
  EXPECT_EQ(objects[0]["message"], "2 \"lines\"\nare empty");
  EXPECT_THAT(objects[0]["time"].get<std::string>(),
              testing::MatchesRegex("20..-..-..T..:..:..\\....Z"));
  EXPECT_EQ(objects[1]["level"], "error");
  EXPECT_EQ(objects[1]["message"], "\xef\xbf\xbd") << "invalid UTF-8 is replaced";
}

TEST_F(JsonLog, HasTheFieldsOfAMessage) {
  use_json_log();
  const auto objects = logged([] {
    log_with_fields(LogLevel::info, "GET /a 200",
                    {{"path", "/a"}, {"status", std::int64_t{200}}, {"milliseconds", 1.5}});
    log_with_fields(LogLevel::debug, "not shown", {});
  });
  ASSERT_EQ(objects.size(), 1U);
  EXPECT_EQ(objects[0]["message"], "GET /a 200");
  EXPECT_EQ(objects[0]["path"], "/a");
  EXPECT_EQ(objects[0]["status"], 200);
  EXPECT_EQ(objects[0]["milliseconds"], 1.5);
}

TEST_F(JsonLog, WritesWholeLinesFromSeveralThreads) {
  use_json_log();
  const auto objects = logged([] {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back([] {
        for (int i = 0; i < 100; ++i) log_info("message {}", i);
      });
    }
  });
  EXPECT_EQ(objects.size(), 400U);
}

TEST_F(JsonLog, WithoutItOnlyTheMessageIsLogged) {
  log_with_fields(LogLevel::info, "GET /a 200", {{"path", "/a"}});
  EXPECT_EQ(restored_afterwards.text(), "GET /a 200\n");
}

}  // namespace
}  // namespace tfm
