// Kills a run with SIGKILL at random moments. It must resume from a valid checkpoint and end with
// exactly the weights of a run that was never killed, whether the training data is in memory or in
// shards. TFM_KILLS sets the number of kills
// (default: 5), TFM_KILL_SEED the seed of their random times.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <random>
#include <sstream>
#include <vector>

#include "program.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class CrashRecovery : public testing::Test {
 protected:
  CrashRecovery() { fs::current_path(place.folder.path()); }
  ~CrashRecovery() override { fs::current_path(before); }

  /// Returns the command of a run that is small enough to save at every update and long enough for
  /// all kills.
  std::vector<std::string> command(const std::string& run) const {
    std::istringstream words(
        "train --config configs/demo.yaml model.hidden_size=16 model.heads=2 "
        "model.transformer_ff=32 model.encoder_layers=1 model.decoder_layers=1 "
        "model.dropout=0.1 tokenizer.vocab_size=500 training.batch_size=256 "
        "training.valid_sentences=4 decoding.beam_size=1 decoding.max_length=8 "
        "training.threads=1 training.device=cpu training.precision=fp32 training.warmup_steps=2 "
        "training.log_every=1 training.save_steps=1 "
        "training.valid_steps=7 training.average_checkpoints=0 training.max_minutes=0 "
        "training.max_epochs=0 --resume");
    std::vector<std::string> arguments{(fs::path(TFM_BINARY_DIR) / "tfm").string()};
    for (std::string word; words >> word;) arguments.push_back(word);
    arguments.push_back("training.run_folder=" + run);
    arguments.push_back("training.max_steps=" + std::to_string(updates()));
    // The run that is killed reads its examples from shards, which must make no difference.
    if (run == "runs/killed") arguments.push_back("data.cache=cache");
    return arguments;
  }

  pid_t start(const std::string& run) const {
    auto arguments = command(run);
    std::vector<char*> pointers;
    for (auto& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    const pid_t pid = ::fork();
    if (pid != 0) return pid;
    const int log = ::open("log", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ::dup2(log, STDERR_FILENO);
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
  }

  static std::int64_t newest_step(const fs::path& run) {
    std::int64_t newest = -1;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(run / "checkpoints", none)) {
      const std::string name = entry.path().filename();
      if (name.starts_with("step-"))
        newest = std::max<std::int64_t>(newest, std::stoll(name.substr(5)));
    }
    return newest;
  }

  /// Returns the exit code of the process, or 128 plus the number of the signal that ended it, or
  /// -1 while it runs.
  static int exit_code(pid_t pid) {
    int status = 0;
    if (::waitpid(pid, &status, WNOHANG) == 0) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  /// The times in microseconds that this machine takes to start a run and to make one update. They
  /// determine when the process is killed, so that the run does not end before the last kill on a
  /// fast machine.
  struct Pace {
    std::int64_t start_us, update_us;
  };

  /// Trains a complete run and returns its pace.
  Pace measure_pace(const fs::path& run) const {
    using Clock = std::chrono::steady_clock;
    const auto microseconds = [](Clock::duration time) {
      return std::chrono::duration_cast<std::chrono::microseconds>(time).count();
    };
    const auto begin = Clock::now();
    const pid_t pid = start(run);
    int code = -1;
    while (newest_step(run) < 1 && (code = exit_code(pid)) < 0) ::usleep(500);
    const auto first = Clock::now();
    while (code < 0 && (code = exit_code(pid)) < 0) ::usleep(500);
    EXPECT_EQ(code, 0) << place.folder.read("log");
    return {microseconds(first - begin),
            std::max<std::int64_t>(1, microseconds(Clock::now() - first) / updates())};
  }

  int updates() const { return steps_per_kill * (kills + 1); }

  /// Waits until the run has a checkpoint of `step` or of a later step, waits for `microseconds`
  /// more and kills the process. Returns false if the process ended before the checkpoint appeared.
  static bool kill_after(pid_t pid, const fs::path& run, std::int64_t step,
                         std::int64_t microseconds) {
    while (newest_step(run) < step) {
      if (const int code = exit_code(pid); code >= 0) {
        EXPECT_EQ(code, 0);
        return false;
      }
      ::usleep(500);
    }
    ::usleep(static_cast<useconds_t>(microseconds));
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return true;
  }

  Workplace place;
  const fs::path before = fs::current_path();
  const int kills = setting("TFM_KILLS", 5);
  static constexpr int steps_per_kill = 12;
};

TEST_F(CrashRecovery, KilledRunEndsWithTheWeightsOfAnUninterruptedRun) {
  const auto seed = setting("TFM_KILL_SEED", 1);
  std::mt19937 random(static_cast<unsigned>(seed));
  SCOPED_TRACE("TFM_KILL_SEED=" + std::to_string(seed));
  const fs::path straight = "runs/straight";
  const fs::path killed = "runs/killed";
  const auto pace = measure_pace(straight);
  ASSERT_FALSE(HasFailure());

  int done = 0;
  for (; done < kills; ++done) {
    const auto from = newest_step(killed);
    // If `further` is 0, the process is killed while it starts or during its first updates.
    const auto further = static_cast<std::int64_t>(random() % 4);
    const auto span = further == 0 ? pace.start_us + 2 * pace.update_us : 4 * pace.update_us;
    if (!kill_after(start(killed), killed, from + further,
                    static_cast<std::int64_t>(random()) % span))
      break;
    const auto log = place.folder.read("log");
    EXPECT_THAT(log, Not(HasSubstr("corrupt checkpoint")));
    EXPECT_GE(newest_step(killed), from);
    if (from >= 0 && further > 0) {
      EXPECT_THAT(log, HasSubstr("resuming from runs/killed/checkpoints/step-"));
    }
  }
  EXPECT_EQ(done, kills) << "the run ended before it was killed often enough";
  int status = 0;
  ::waitpid(start(killed), &status, 0);
  EXPECT_EQ(status, 0) << place.folder.read("log");

  const auto last = "checkpoints/step-" +
                    std::string(8 - std::to_string(newest_step(straight)).size(), '0') +
                    std::to_string(newest_step(straight));
  for (const std::string& name : {std::string("model.safetensors"), last + "/model.safetensors",
                                  last + "/optimizer.safetensors"}) {
    EXPECT_TRUE(place.folder.read((straight / name).string()) ==
                place.folder.read((killed / name).string()))
        << name << " differs";
  }
  for (const auto& entry : fs::recursive_directory_iterator(killed)) {
    const std::string name = entry.path().filename();
    EXPECT_TRUE(name.find(".tfm-tmp-") == name.npos && !name.starts_with("damaged") &&
                name != "unfinished" && name != "removed")
        << entry.path();
  }
}

}  // namespace
}  // namespace tfm
