#include "tfm/core/forked_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Seen {
  ForkedResult result;
  std::vector<std::string> lines;
};

Seen run(std::function<std::string()> work) {
  Seen seen;
  seen.result =
      run_forked({.work = std::move(work),
                  .on_line = [&](std::string_view line) { seen.lines.emplace_back(line); },
                  .on_tick = [] {}},
                 "the test");
  return seen;
}

TEST(ForkedWork, ReturnsWhatTheWorkReturns) {
  EXPECT_EQ(run([] { return std::string(); }).result.text, "");
  std::string large(3'000'000, 'x');  // more than a pipe holds
  large[1'000'000] = '\0';
  const auto result = run([&] { return large; }).result;
  EXPECT_EQ(result.text, large);
  EXPECT_FALSE(result.error);
}

TEST(ForkedWork, ChangesNothingInThisProcess) {
  int number = 1;
  EXPECT_EQ(run([&] { return std::to_string(++number); }).result.text, "2");
  EXPECT_EQ(number, 1);
}

TEST(ForkedWork, PassesOnTheLinesOfStderr) {
  const auto seen = run([] {
    std::cerr << "first\nsecond" << std::flush;
    std::cerr << " line\n\nno end";
    return std::string("done");
  });
  EXPECT_EQ(seen.result.text, "done");
  EXPECT_THAT(seen.lines, ElementsAre("first", "second line", ""));
}

TEST(ForkedWork, ReportsAnExceptionAndTheEndOfTheProcess) {
  EXPECT_EQ(run([]() -> std::string { throw std::runtime_error("no luck"); }).result.error,
            "no luck");
  EXPECT_THAT(run([] { return ::raise(SIGKILL), std::string(); }).result.error.value(),
              HasSubstr("signal 9"));
  EXPECT_THAT(run([]() -> std::string { ::_exit(3); }).result.error.value(), HasSubstr("code 3"));
}

TEST(ForkedWork, ReportsTheLastMessagesOfWorkThatExitsWithoutDestructorsOfThisProcess) {
  static const struct Static {
    ~Static() {
      if (::getpid() != process) std::cerr << "a destructor ran\n";
    }
    pid_t process = ::getpid();
  } object;
  const auto found = run([]() -> std::string {
    std::cerr << "first\nBad input.\nGiving up.\n";
    std::exit(3);
  });
  EXPECT_EQ(found.result.error, "its process ended with code 1: Bad input. Giving up.");
}

TEST(ForkedWork, EndsAtASignalWhateverTheWorkDoes) {
  install_signal_handlers();
  pid_t process = 0;
  const ForkedWork work{.work =
                            [] {
                              std::cerr << ::getpid() << "\n";
                              for (;;) ::pause();
                              return std::string();
                            },
                        .on_line =
                            [&](std::string_view line) {
                              process = std::stoi(std::string(line));
                              ::raise(SIGINT);
                            },
                        .on_tick = [] {}};
  try {
    run_forked(work, "the test");
    FAIL();
  } catch (const Interrupted& error) {
    EXPECT_STREQ(error.what(), "interrupted during the test");
  }
  EXPECT_EQ(::kill(process, 0), -1) << "the process still exists";
  clear_interrupt();
}

TEST(ForkedWork, LeavesSignalsOfTheGroupToThisProcess) {
  const auto result = run([] {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::raise(signal);
    return std::string("done");
  });
  EXPECT_EQ(result.result.text, "done");
}

TEST(ForkedWork, IsWatchedWhileItIsSilent) {
  int ticks = 0;
  // The work ends when this process has been called several times.
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const ForkedWork work{.work =
                            [&] {
                              char byte = 0;
                              return std::to_string(::read(ends[0], &byte, 1));
                            },
                        .on_line = [](std::string_view) {},
                        .on_tick =
                            [&] {
                              if (++ticks == 3) {
                                EXPECT_EQ(::write(ends[1], "x", 1), 1);
                              }
                            }};
  EXPECT_EQ(run_forked(work, "the test").text, "1");
  EXPECT_GE(ticks, 3);
  for (const int end : ends) ::close(end);
}

}  // namespace
}  // namespace tfm
