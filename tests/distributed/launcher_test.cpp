#include "tfm/distributed/launcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "captured_log.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::HasSubstr;
using testing::Not;

class Launcher : public testing::Test {
 protected:
  TemporaryFolder folder;

  /// Runs a shell script in every rank, with the test folder as working directory.
  int launch_script(int ranks, const std::string& script,
                    std::chrono::milliseconds grace = std::chrono::minutes(1)) const {
    LaunchRequest request;
    request.ranks = ranks;
    request.grace = grace;
    request.command = {"/bin/sh", "-c", "cd '" + folder.path().string() + "'; " + script};
    return launch(request);
  }
};

TEST_F(Launcher, SetsTheEnvironmentVariablesOfEachRank) {
  EXPECT_EQ(launch_script(
                3,
                "echo $RANK $LOCAL_RANK $WORLD_SIZE $LOCAL_WORLD_SIZE $MASTER_ADDR $TFM_LAUNCHED "
                ">rank$RANK; echo "
                "$MASTER_PORT >>ports"),
            0);
  EXPECT_EQ(folder.read("rank0"), "0 0 3 3 127.0.0.1 1\n");
  EXPECT_EQ(folder.read("rank2"), "2 2 3 3 127.0.0.1 1\n");
  const auto ports = folder.read("ports");
  const auto port = ports.substr(0, ports.find('\n') + 1);
  EXPECT_EQ(ports, port + port + port);
  EXPECT_GT(std::stoi(port), 0);
}

TEST_F(Launcher, StopsTheOtherRanksAndReturnsTheFirstExitCode) {
  EXPECT_EQ(launch_script(3, R"(
    if [ $RANK = 1 ]; then until [ -e ready0 ] && [ -e ready2 ]; do sleep 0.05; done; exit 7; fi
    trap 'echo asked >asked$RANK; exit 9' TERM; touch ready$RANK; while :; do sleep 0.05; done)"),
            7);
  EXPECT_EQ(folder.read("asked0"), "asked\n");
  EXPECT_EQ(folder.read("asked2"), "asked\n");
}

TEST_F(Launcher, KillsRanksThatIgnoreSigterm) {
  EXPECT_EQ(launch_script(2, R"(
    if [ $RANK = 1 ]; then until [ -e ready0 ]; do sleep 0.05; done; exit 7; fi
    trap '' TERM; touch ready0; while :; do sleep 0.05; done)",
                          std::chrono::milliseconds(100)),
            7);
}

TEST_F(Launcher, Returns128PlusTheSignalThatKilledARank) {
  EXPECT_EQ(
      launch_script(2, "if [ $RANK = 0 ]; then kill -KILL $$; fi; while :; do sleep 0.05; done"),
      137);
}

/// Simulates a failure of rank 1 in which rank 0 loses contact and ends before rank 1 does.
TEST_F(Launcher, NamesTheRankThatFailedAndNotTheRankThatLostContact) {
  const CapturedLog log;
  EXPECT_EQ(launch_script(2, R"(
    if [ $RANK = 0 ]; then exit 3; fi
    sleep 0.3; exit 2)"),
            2);
  EXPECT_THAT(log.text(), HasSubstr("rank 1 failed with exit code 2"));
  EXPECT_THAT(log.text(), Not(HasSubstr("rank 0")));
}

TEST_F(Launcher, NamesARankThatLostContactIfNoOtherRankFailed) {
  const CapturedLog log;
  EXPECT_EQ(launch_script(2, R"(
    if [ $RANK = 1 ]; then exit 3; fi
    trap 'exit 9' TERM; while :; do sleep 0.05; done)"),
            lost_contact_code);
  EXPECT_THAT(log.text(), HasSubstr("rank 1 lost contact with another rank; stopping the other 1"));
}

TEST_F(Launcher, ForwardsSignalsToAllRanks) {
  std::thread sender([&] {
    // The launcher must receive the signal, not this thread.
    sigset_t all_signals;
    sigfillset(&all_signals);
    pthread_sigmask(SIG_BLOCK, &all_signals, nullptr);
    while (!std::filesystem::exists(folder.path("ready0")) ||
           !std::filesystem::exists(folder.path("ready1")))
      std::this_thread::yield();
    ::kill(::getpid(), SIGTERM);
  });
  EXPECT_EQ(
      launch_script(2,
                    "trap 'touch stopped$RANK; exit 130' TERM; touch ready$RANK; while :; do sleep "
                    "0.05; done"),
      130);
  sender.join();
  EXPECT_TRUE(std::filesystem::exists(folder.path("stopped0")));
  EXPECT_TRUE(std::filesystem::exists(folder.path("stopped1")));
}

/// The kernel may deliver a signal to any thread while the launcher is not waiting for one.
TEST_F(Launcher, ForwardsASignalThatAnotherThreadReceived) {
  std::thread sender([&] {
    while (!std::filesystem::exists(folder.path("ready0"))) std::this_thread::yield();
    ::pthread_kill(::pthread_self(), SIGTERM);
  });
  EXPECT_EQ(
      launch_script(
          1, "trap 'touch stopped; exit 130' TERM; touch ready$RANK; while :; do sleep 0.05; done"),
      130);
  sender.join();
  EXPECT_TRUE(std::filesystem::exists(folder.path("stopped")));
}

TEST_F(Launcher, IgnoresSighupUnderNohup) {
  std::signal(SIGHUP, SIG_IGN);
  std::thread sender([&] {
    while (!std::filesystem::exists(folder.path("ready0"))) std::this_thread::yield();
    ::kill(::getpid(), SIGHUP);
  });
  EXPECT_EQ(launch_script(
                1,
                "trap 'exit 130' TERM; touch ready$RANK; for i in 1 2 3 4 5 6 7 8 9 10; do sleep "
                "0.05; done"),
            0);
  sender.join();
  std::signal(SIGHUP, SIG_DFL);
}

TEST_F(Launcher, ThrowsIfTheProgramDoesNotExist) {
  LaunchRequest request;
  request.command = {folder.path("none")};
  EXPECT_THAT(message_of<ConfigError>([&] { launch(request); }), HasSubstr("none"));
}

}  // namespace
}  // namespace tfm
