// Tests what a run tries before its first update.
#include <csignal>

#include "captured_log.h"
#include "file_size_limit.h"
#include "run_fixture.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/run/run_status.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class ChecksOfAStart : public Run {
 protected:
  fs::path status = folder.path("run") / status_file;

  /// Runs a session until `line` is logged, and returns its log.
  std::string log_until(const std::string& line, bool resume) const {
    install_signal_handlers();
    const CapturedLog log([&](const std::string& logged) {
      if (logged.starts_with(line)) std::raise(SIGTERM);
    });
    EXPECT_THROW(go(resume), Interrupted);
    clear_interrupt();
    return log.text();
  }
  std::string log_of_resumed_run() const {
    const CapturedLog log;
    go(/*resume=*/true);
    return log.text();
  }
  /// Starts the run and interrupts it after an update.
  void start() const {
    reset();
    EXPECT_THAT(log_until("step 5/", /*resume=*/false), HasSubstr("trying the longest batch"));
  }
  void change_status(const std::function<void(nlohmann::json&)>& change) const {
    auto object = nlohmann::json::parse(read_file(status));
    change(object);
    write_file(status, object.dump());
  }
};

TEST_F(ChecksOfAStart, AreNotRepeatedIfTheRunResumes) {
  start();
  EXPECT_THAT(log_of_resumed_run(), Not(HasSubstr("trying the longest batch")));
  start();
  EXPECT_THAT(log_until("step 10/", /*resume=*/true), Not(HasSubstr("trying the longest batch")));
  EXPECT_THAT(log_of_resumed_run(), Not(HasSubstr("trying the longest batch")))
      << "a session that did not repeat them passes the record on";
}

TEST_F(ChecksOfAStart, AreRepeatedIfTheConfigChanged) {
  start();
  config.training.label_smoothing = 0.2;
  EXPECT_THAT(log_of_resumed_run(), HasSubstr("trying the longest batch"));
}

TEST_F(ChecksOfAStart, AreRepeatedIfTheDataChanged) {
  start();
  folder.write("train.src", made_up_text('a', 41));
  folder.write("train.tgt", made_up_text('m', 41));
  EXPECT_THAT(log_of_resumed_run(), HasSubstr("trying the longest batch"));
}

TEST_F(ChecksOfAStart, AreRepeatedIfThePreviousSessionWasKilledOrFailed) {
  for (const char* state : {"running", "failed"}) {
    start();
    change_status([&](nlohmann::json& object) { object["state"] = state; });
    EXPECT_THAT(log_of_resumed_run(), HasSubstr("trying the longest batch")) << state;
  }
}

TEST_F(ChecksOfAStart, AreRepeatedIfLessMemoryIsFreeThanTheyTook) {
  start();
  change_status([&](nlohmann::json& object) { object["start_checks"]["memory"] = 1e18; });
  EXPECT_THAT(log_of_resumed_run(), HasSubstr("trying the longest batch"));
}

TEST_F(ChecksOfAStart, AreRepeatedIfASignalInterruptedThem) {
  EXPECT_THAT(log_until("trying the longest batch", /*resume=*/false), Not(HasSubstr("step 5/")));
  EXPECT_THAT(log_of_resumed_run(), HasSubstr("trying the longest batch"));
}

TEST_F(ChecksOfAStart, ThrowIfTheFolderOfTheCheckpointsCantBeMade) {
  config.training.save_steps = 0;
  config.training.valid_steps = 0;
  const CapturedLog log([&](const std::string& line) {
    if (line.starts_with("trying the longest batch"))
      write_file(folder.path("run/checkpoints"), "not a folder");
  });
  EXPECT_THAT(message_of<ModelError>([&] { go(); }), HasSubstr("run/checkpoints"));
  EXPECT_THAT(log.text(), Not(HasSubstr("step 5/")));
}

TEST_F(ChecksOfAStart, ThrowIfACheckpointDoesNotFit) {
  const CapturedLog log;
  {
    const FileSizeLimit limit(50'000);  // the weights are larger
    EXPECT_THAT(message_of<ModelError>([&] { go(); }), HasSubstr("checkpoints: has no space"));
  }
  EXPECT_THAT(log.text(), Not(HasSubstr("step 5/")));
  EXPECT_TRUE(fs::is_empty(folder.path("run/checkpoints")));
}

}  // namespace
}  // namespace tfm
