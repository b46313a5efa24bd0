#include "tfm/core/terminal.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <cstdlib>

namespace tfm {
namespace {

/// A pseudo-terminal of 72 columns. TERM is xterm and NO_COLOR is unset until a test changes them.
class TerminalProperties : public testing::Test {
 protected:
  TerminalProperties() {
    winsize size{};
    size.ws_row = 24;
    size.ws_col = 72;
    EXPECT_EQ(::openpty(&controller_, &terminal, nullptr, nullptr, &size), 0);
    ::setenv("TERM", "xterm", 1);
    ::unsetenv("NO_COLOR");
  }
  ~TerminalProperties() override {
    ::close(controller_);
    ::close(terminal);
    ::unsetenv("NO_COLOR");
  }

  int terminal = -1;

 private:
  int controller_ = -1;
};

TEST_F(TerminalProperties, SizeIsKnownForATerminalButNotForAPipe) {
  EXPECT_EQ(terminal_columns(terminal), 72U);
  EXPECT_EQ(terminal_size(terminal)->rows, 24U);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_FALSE(terminal_columns(ends[1]));
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(TerminalProperties, AllowsColorOnATerminalUnlessNoColorIsSet) {
  EXPECT_TRUE(allows_color(terminal));
  ::setenv("NO_COLOR", "", 1);
  EXPECT_TRUE(allows_color(terminal)) << "an empty NO_COLOR does not count";
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(allows_color(terminal));
}

TEST_F(TerminalProperties, ForbidsColorOnADumbTerminalAndInAPipe) {
  ::setenv("TERM", "dumb", 1);
  EXPECT_FALSE(allows_color(terminal));
  ::setenv("TERM", "xterm", 1);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_FALSE(allows_color(ends[1]));
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace tfm
