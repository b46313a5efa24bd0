#include "tfm/core/interrupt.h"

#include <gtest/gtest.h>

#include <csignal>

namespace tfm {
namespace {

TEST(Interrupt, RecordsTheFirstSignalAsARequest) {
  install_signal_handlers();
  EXPECT_FALSE(interrupt_requested());
  std::raise(SIGINT);
  EXPECT_TRUE(interrupt_requested());
  clear_interrupt();
  EXPECT_FALSE(interrupt_requested());
}

TEST(Interrupt, TreatsTwoSignalsAtOnceAsOneRequest) {
  install_signal_handlers();
  std::raise(SIGTERM);
  std::raise(SIGTERM);
  EXPECT_TRUE(interrupt_requested());
  clear_interrupt();
}

TEST(Interrupt, TreatsSighupAsARequestUnlessTheProcessIgnoresIt) {
  std::signal(SIGHUP, SIG_IGN);
  install_signal_handlers();
  std::raise(SIGHUP);
  EXPECT_FALSE(interrupt_requested());
  std::signal(SIGHUP, SIG_DFL);
  install_signal_handlers();
  std::raise(SIGHUP);
  EXPECT_TRUE(interrupt_requested());
  clear_interrupt();
  std::signal(SIGHUP, SIG_DFL);
}

TEST(Interrupt, TreatsSighupAsARequestToReloadInAService) {
  install_signal_handlers();
  install_reload_handler();
  EXPECT_FALSE(take_reload_request());
  std::raise(SIGHUP);
  EXPECT_FALSE(interrupt_requested());
  EXPECT_TRUE(take_reload_request());
  EXPECT_FALSE(take_reload_request()) << "a request is taken once";
  std::signal(SIGHUP, SIG_DFL);
}

TEST(Interrupt, TreatsAClosedPipeAsARequestHoweverOftenItIsWrittenTo) {
  install_signal_handlers();
  install_broken_pipe_handler();
  std::raise(SIGPIPE);
  EXPECT_TRUE(interrupt_requested());
  std::raise(SIGPIPE);
  EXPECT_TRUE(interrupt_requested());
  clear_interrupt();
  std::signal(SIGPIPE, SIG_DFL);
}

TEST(Interrupt, LeavesSigpipeIgnoredIfTheProcessIgnoresIt) {
  std::signal(SIGPIPE, SIG_IGN);
  install_broken_pipe_handler();
  std::raise(SIGPIPE);
  EXPECT_FALSE(interrupt_requested());
  std::signal(SIGPIPE, SIG_DFL);
}

}  // namespace
}  // namespace tfm
