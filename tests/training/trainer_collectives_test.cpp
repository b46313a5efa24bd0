// Tests that all ranks of a run make the same collectives, with the same sizes and in the same
// order, whatever happens to one of them. A rank that made one more would wait for the others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <sstream>

#include "multi_process.h"
#include "recording_backend.h"
#include "small_run.h"
#include "tfm/config/config_file.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/log.h"
#include "tfm/run/checkpoint_store.h"

namespace tfm {
namespace {

/// The file "signal" contains a rank and the number of the collective at which it gets SIGTERM.
TEST(DISABLED_RankBody, RecordsItsCollectives) {
  const auto ranks = rank_environment();
  set_log_rank(ranks.rank);
  install_signal_handlers();
  int signalled_rank = -1, signalled_call = -1;
  std::ifstream(rank_folder() / "signal") >> signalled_rank >> signalled_call;
  // A rank that waits for a collective that never comes must fail, not hang.
  constexpr Timeouts timeouts{.connect = std::chrono::minutes(5),
                              .collective = std::chrono::minutes(5),
                              .rank_zero_work = std::chrono::minutes(5)};
  const auto number = std::to_string(ranks.rank);
  const ProcessGroup group(ranks,
                           std::make_unique<RecordingBackend>(
                               ranks, timeouts, rank_folder() / ("calls" + number), [&](int call) {
                                 if (ranks.rank == signalled_rank && call == signalled_call)
                                   std::raise(SIGTERM);
                               }));
  std::string end = "ended";
  try {
    train({.config = load_config(rank_folder() / "config.yaml"), .name = "ranks", .resume = true},
          group);
  } catch (const Interrupted&) {
    end = "interrupted";
  }
  std::ofstream(rank_folder() / ("end" + number)) << end;
}

using Calls = std::vector<std::string>;

class CollectiveOrder : public testing::Test {
 protected:
  static constexpr int ranks = 8;
  static constexpr int steps = 6;

  void SetUp() override {
    if (!has_c10d()) GTEST_SKIP() << "built without c10d";
    config.training.accum_count = 2;
    config.training.max_steps = steps;
    config.training.valid_steps = 2;
    config.training.save_steps = 3;
    folder.write("config.yaml", write_config(config));
  }

  /// Starts or resumes the run and returns the collectives of rank 0. Fails unless all ranks make
  /// the same ones and end as `end` says.
  Calls run_and_compare(const std::string& end) {
    EXPECT_EQ(run_ranks(ranks, "RecordsItsCollectives", folder.path()), 0);
    const std::string first = folder.read("calls0");
    for (int rank = 0; rank < ranks; ++rank) {
      EXPECT_EQ(folder.read("calls" + std::to_string(rank)), first) << "rank " << rank;
      EXPECT_EQ(folder.read("end" + std::to_string(rank)), end) << "rank " << rank;
    }
    std::istringstream lines(first);
    Calls calls;
    for (std::string line; std::getline(lines, line);) calls.push_back(line);
    return calls;
  }

  /// Repeats the run in a new folder, in which this rank gets SIGTERM at this collective.
  Calls repeat_with_signal(int rank, std::ptrdiff_t call, const std::string& end) {
    std::filesystem::remove_all(folder.path("run"));
    folder.write("signal", std::to_string(rank) + " " + std::to_string(call));
    return run_and_compare(end);
  }

  std::string newest_checkpoint() const {
    return CheckpointStore(folder.path("run")).list().back().filename().string();
  }

  TemporaryFolder folder;
  Config config = small_run(folder);
};

bool is_gradient(const std::string& call) { return call.starts_with("sum float "); }

TEST_F(CollectiveOrder, IsTheSameOnEightRanksInUpdatesValidationsAndCheckpoints) {
  const auto calls = run_and_compare("ended");
  // An update sums the votes, the numbers of tokens, the gradients and the loss.
  const auto begin = std::ranges::find_if(calls, is_gradient) - 2;
  const auto next = std::find_if(begin, calls.end(),
                                 [](const std::string& call) { return call == "sum double 1"; }) +
                    1;
  const Calls update(begin, next);
  ASSERT_GE(update.size(), 4U);
  EXPECT_EQ(update[0], "sum double 2");
  EXPECT_EQ(update[1], "sum double 2");
  EXPECT_EQ(std::ranges::count_if(update, is_gradient), std::ssize(update) - 3);
  auto at = begin;
  for (int step = 0; step < steps; ++step, at += std::ssize(update)) {
    ASSERT_LT(std::ssize(update), calls.end() - at);
    EXPECT_EQ(Calls(at, at + std::ssize(update)), update) << "step " << step + 1;
  }
  EXPECT_EQ(*at, "sum double 2");  // the vote to end
  EXPECT_EQ(std::count_if(at, calls.end(), is_gradient), 0);
}

TEST_F(CollectiveOrder, IsTheSameIfARankGetsASignal) {
  const auto calls = run_and_compare("ended");
  const auto gradient = std::ranges::find_if(calls, is_gradient) - calls.begin();
  // Rank 5 gets a signal during its first backward pass.
  auto stopped = repeat_with_signal(5, gradient, "interrupted");
  EXPECT_EQ(newest_checkpoint(), "step-00000001");
  EXPECT_EQ(std::ranges::count_if(stopped, is_gradient) * steps,
            std::ranges::count_if(calls, is_gradient));
  folder.write("signal", "");
  run_and_compare("ended");  // resumes
  // Rank 0 gets a signal before the first validation, which only rank 0 makes.
  const auto update = (std::ranges::count_if(calls, is_gradient) / steps) + 3;
  repeat_with_signal(0, gradient - 2 + 2 * update - 1, "interrupted");
  EXPECT_EQ(newest_checkpoint(), "step-00000002");
  // Rank 7 gets a signal after the vote to end.
  repeat_with_signal(7, std::ssize(calls) - 1, "ended");
}

}  // namespace
}  // namespace tfm
