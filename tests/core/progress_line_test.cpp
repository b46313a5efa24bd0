#include "tfm/core/progress_line.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "tfm/core/log.h"

namespace tfm {
namespace {

/// A pseudo-terminal with the given $TERM and width, which replaces this process's stderr until the
/// Terminal is destroyed.
class Terminal {
 public:
  explicit Terminal(const char* kind = "xterm", unsigned short columns = 80) {
    set_up_log(Verbosity::normal);
    const winsize size{24, columns, 0, 0};
    int terminal = -1;
    EXPECT_EQ(::openpty(&screen_, &terminal, nullptr, nullptr, &size), 0);
    previous_ = ::dup(STDERR_FILENO);
    ::dup2(terminal, STDERR_FILENO);
    ::close(terminal);
    ::setenv("TERM", kind, 1);
  }
  ~Terminal() {
    ::dup2(previous_, STDERR_FILENO);
    ::close(previous_);
    ::close(screen_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// Returns the output since the previous call.
  std::string printed() const {
    std::fputc('#', stderr);
    std::string found;
    char next = 0;
    while (::read(screen_, &next, 1) == 1 && next != '#') found += next;
    return found;
  }

 private:
  int screen_ = -1;
  int previous_ = -1;
};

const std::string erase = "\r\033[K";

TEST(ProgressLine, IsRewrittenInPlaceAndErasedByTheDestructor) {
  const Terminal terminal;
  {
    ProgressLine line;
    line.show("10 of 20");
    EXPECT_EQ(terminal.printed(), erase + "10 of 20");
    line.show("11 of 20");
    EXPECT_EQ(terminal.printed(), erase + "11 of 20");
  }
  EXPECT_EQ(terminal.printed(), erase);
}

TEST(ProgressLine, PrintsNothingIfNothingWasShown) {
  const Terminal terminal;
  {
    const ProgressLine line;
  }
  EXPECT_EQ(terminal.printed(), "");
}

TEST(ProgressLine, TruncatesTextBeforeTheLastColumn) {
  const Terminal terminal("xterm", 6);
  ProgressLine line;
  line.show("1234567");
  EXPECT_EQ(terminal.printed(), erase + "12345");
}

TEST(ProgressLine, DropsWholeFieldsThatDoNotFit) {
  const Terminal terminal("xterm", 22);
  ProgressLine line;
  line.show("step 3  loss 5.25  rate 1.45e-05");
  EXPECT_EQ(terminal.printed(), erase + "step 3  loss 5.25");
  line.show("10 lines, 5.5 lines/s, 3s left");
  EXPECT_EQ(terminal.printed(), erase + "10 lines, 5.5 lines/s") << "fits exactly";
}

TEST(ProgressLine, IsDueAQuarterOfASecondAfterTheLastUpdate) {
  const Terminal terminal;
  ProgressLine line;
  EXPECT_TRUE(line.is_due(7));
  EXPECT_FALSE(line.is_due(7.125));
  EXPECT_TRUE(line.is_due(7.25));
  EXPECT_FALSE(line.is_due(7.375));
}

TEST(ProgressLine, IsNotShownOnADumbTerminal) {
  const Terminal terminal("dumb");
  ProgressLine line;
  EXPECT_FALSE(line.is_due(0));
  line.show("10 of 20");
  EXPECT_EQ(terminal.printed(), "");
}

TEST(ProgressLine, IsNotShownIfTheLogIsQuiet) {
  const Terminal terminal;
  set_up_log(Verbosity::quiet);
  ProgressLine line;
  EXPECT_FALSE(line.is_due(0));
  line.show("10 of 20");
  EXPECT_EQ(terminal.printed(), "");
}

TEST(PrintAboveProgress, ErasesTheLineAndRedrawsItBelowTheMessage) {
  const Terminal terminal;
  ProgressLine line;
  line.show("10 of 20");
  terminal.printed();
  print_above_progress([] { std::fputs("saved\n", stderr); });
  EXPECT_EQ(terminal.printed(), erase + "saved\r\n10 of 20");
}

TEST(PrintAboveProgress, PrintsOnlyTheMessageIfNoLineIsShown) {
  const Terminal terminal;
  std::optional<ProgressLine> line(std::in_place);
  line->show("20 of 20");
  line.reset();
  terminal.printed();
  print_above_progress([] { std::fputs("saved\n", stderr); });
  EXPECT_EQ(terminal.printed(), "saved\r\n");
}

}  // namespace
}  // namespace tfm
