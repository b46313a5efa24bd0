// Tests runs that end or are interrupted, and then resume. A resumed run must leave the same files
// as a run that never stopped.
#include <zlib.h>

#include <csignal>

#include "captured_log.h"
#include "run_fixture.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/training/run.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST_F(Run, LearnsTheSameWeightsIfInterruptedAndResumedAsWithoutInterruption) {
  config.model.dropout = 0.2;  // so that random numbers matter
  config.training.accum_count = 2;
  config.training.max_steps = 14;  // beyond the end of an epoch
  config.training.save_steps = 1;
  go();
  const auto straight = last_weights();
  const auto events = validations();
  reset();
  config.training.max_steps = 3;
  go();
  config.training.max_steps = 14;
  install_signal_handlers();
  std::raise(SIGTERM);
  EXPECT_THROW(go(/*resume=*/true), Interrupted);
  clear_interrupt();
  for (const int64_t steps : {7, 8, 14}) {
    config.training.max_steps = steps;
    go(/*resume=*/true);
  }
  expect_equal(last_weights(), straight);
  EXPECT_EQ(validations(), events);
  EXPECT_EQ(CheckpointStore(folder.path("run")).list().back().filename(), "step-00000014");
}

/// Returns the size and checksum of every file of the run. Leaves out times and the numbers and
/// files that depend on times.
std::map<std::string, std::string> contents(const fs::path& run) {
  std::map<std::string, std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(run)) {
    const std::string name = fs::relative(entry.path(), run);
    const bool tells_time = name == "status.json" || name == "report.json" ||
                            name == "report.html" || name == train_log_file ||
                            name.starts_with("events.out.tfevents.");
    if (!entry.is_regular_file() || name == "lock" || tells_time) continue;
    auto text = read_file(entry.path());
    static const std::regex times(R"re("(seconds|tokens_per_second|log_bytes)": ?[-+.e0-9]+)re");
    if (name.ends_with("metrics.jsonl") || name.ends_with("progress.json"))
      text = std::regex_replace(text, times, "");
    // The manifest contains the checksum of progress.json, which depends on times, so only the
    // entry of the optimizer state is compared.
    if (name.ends_with("manifest.json"))
      text = nlohmann::json::parse(text)["files"]["optimizer.safetensors"].dump();
    found[name] = fmt::format("{} bytes, crc32 {:08x}", text.size(),
                              crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size()));
  }
  return found;
}

/// Covers dropout, accumulation across the end of an epoch, the counter of early stopping, a
/// learning-rate schedule, log lines and the average of checkpoints.
TEST_F(Run, LeavesTheSameFilesInTwoSessionsAsInOne) {
  config.model.dropout = 0.2;
  config.training.batch_size = 70;
  ASSERT_EQ(batches_in_an_epoch() % 2, 1) << "otherwise no update spans two epochs";
  config.training.accum_count = 2;
  config.training.save_steps = 3;
  config.training.valid_steps = 2;
  config.training.early_stopping = 50;
  config.training.keep_checkpoints = 3;
  config.training.average_checkpoints = 3;
  config.training.log_every = 5;
  config.training.schedule = ScheduleKind::sgdr;
  config.training.max_steps = 18;
  go();
  const auto whole = contents(folder.path("run"));
  EXPECT_THAT(whole,
              testing::Contains(testing::Key("checkpoints/step-00000018/optimizer.safetensors")));
  // The first session ends at step 8 (between two log lines), 15 (logged and saved, but not
  // validated) or 16 (between the last two checkpoints).
  for (const int half : {8, 15, 16}) {
    reset();
    install_signal_handlers();
    {
      const CapturedLog log([&](const std::string& line) {
        // The log line of a validation begins with "step 8 ", that of an update with "step 8/18 ".
        if (line.starts_with(fmt::format("step {} ", half)) ||
            line.starts_with(fmt::format("step {}/", half)))
          std::raise(SIGTERM);
      });
      EXPECT_THROW(go(), Interrupted);
    }
    clear_interrupt();
    go(/*resume=*/true);
    EXPECT_EQ(contents(folder.path("run")), whole);
  }
}

/// The last step is not a multiple of valid_steps, so it is validated only at the end of training.
/// One of the two runs also averages its checkpoints and validates the average.
TEST_F(Run, KeepsItsFilesUnchangedIfResumedAfterItsEnd) {
  config.training.save_steps = config.training.keep_checkpoints = 3;
  config.training.valid_steps = 2;
  config.training.max_steps = 9;
  for (const int averaged : {0, 3}) {
    config.training.average_checkpoints = averaged;
    reset();
    const auto end = go().end.state;
    const auto finished = contents(folder.path("run"));
    const auto saved = saved_state();
    EXPECT_EQ(saved["validated_step"], 9);
    EXPECT_EQ(saved["best_score"], end.best_score.value());
    EXPECT_EQ(go(/*resume=*/true).end.state.step, 9);
    EXPECT_EQ(contents(folder.path("run")), finished);
  }
}

/// Resuming a finished run only logs how to continue. It does not validate again.
TEST_F(Run, LogsHowToContinueIfResumedAfterItsEnd) {
  go();
  const CapturedLog log;
  const auto end = go(/*resume=*/true).end;
  EXPECT_EQ(end.reason, "max_steps 12 reached");
  EXPECT_EQ(end.state.step, 12);
  EXPECT_THAT(log.text(), HasSubstr("has ended: max_steps 12 reached\n  Raise training.max_steps "
                                    "(12) and use --resume to continue."));
  EXPECT_THAT(log.text(), testing::Not(HasSubstr("finished:")));
  EXPECT_THAT(log.text(), testing::Not(HasSubstr("training pairs"))) << "no text is encoded";
  EXPECT_EQ(read_status(folder.path("run"))->state, "finished");
}

TEST_F(Run, CountsAsEndedEvenIfThereAreTooFewCheckpointsToAverage) {
  config.training.save_steps = 100;  // only the end of training saves a checkpoint
  config.training.keep_checkpoints = config.training.average_checkpoints = 3;
  go();
  const CapturedLog log;
  go(/*resume=*/true);
  EXPECT_THAT(log.text(), HasSubstr("has ended: max_steps 12 reached"));
  EXPECT_THAT(log.text(), testing::Not(HasSubstr("finished:")));
}

TEST_F(Run, ValidatesAgainAfterItsEndIfTheMetricChanged) {
  go();
  config.training.valid_sentences = 5;
  const CapturedLog log;
  go(/*resume=*/true);
  EXPECT_THAT(log.text(), HasSubstr("finished: max_steps 12 reached"));
}

TEST_F(Run, SavesACheckpointAndThrowsWhenInterrupted) {
  install_signal_handlers();
  std::raise(SIGTERM);
  EXPECT_THROW(go(), Interrupted);
  clear_interrupt();
  EXPECT_EQ(CheckpointStore(folder.path("run")).list().size(), 1U);
  EXPECT_FALSE(saved_state()["scheduled"])
      << "otherwise averages of checkpoints would include the initial weights";
  EXPECT_EQ(go(/*resume=*/true).end.state.step, 12);
}

TEST_F(Run, RepeatsAnInterruptedValidationWhenResumed) {
  config.training.valid_at_start = true;
  config.training.valid_steps = 2;
  go();
  const auto straight = validations();
  ASSERT_EQ(straight.size(), 7U);
  const auto model = folder.path("run") / weights_file;
  install_signal_handlers();
  for (const bool at_the_end : {false, true}) {
    at_the_end ? fs::remove_all(model) : fs::remove_all(folder.path("run"));
    std::raise(SIGTERM);
    EXPECT_THROW(go(/*resume=*/at_the_end), Interrupted);
    EXPECT_FALSE(fs::exists(model));
    clear_interrupt();
    go(/*resume=*/true);
    EXPECT_EQ(validations(), straight);
    EXPECT_TRUE(fs::exists(model));
  }
}

TEST_F(Run, SaysHowToResumeIfItsLastValidationIsInterrupted) {
  install_signal_handlers();
  {
    const CapturedLog log([](const std::string& line) {
      // Training ends at this step, so the signal interrupts the scoring for the report.
      if (line.starts_with("step 12  validation:")) std::raise(SIGTERM);
    });
    EXPECT_THAT(message_of<Interrupted>([&] { go(); }),
                testing::AllOf(HasSubstr("everything is saved in"), HasSubstr("--resume")));
  }
  clear_interrupt();
  EXPECT_EQ(go(/*resume=*/true).end.state.step, 12);
}

TEST_F(Run, ResumesIfTheBestModelIsMissing) {
  const auto weights = go().folder / weights_file;
  fs::remove(weights);
  const CapturedLog log;
  go(/*resume=*/true);
  EXPECT_THAT(log.text(), HasSubstr("the next validation is the best so far"));
  EXPECT_TRUE(fs::exists(weights));
}

TEST_F(Run, ResumeStartsANewRunIfTheRunFolderDoesNotExist) {
  EXPECT_EQ(go(/*resume=*/true).end.state.step, 12);
}

TEST_F(Run, ResumesFromTheLastValidCheckpoint) {
  config.training.save_steps = 2;
  config.training.keep_checkpoints = 4;
  go();
  const auto expected = last_weights();
  const auto checkpoints = folder.path("run") / "checkpoints";
  write_file(checkpoints / "step-00000012/model.safetensors", std::string(100, 'x'));
  fs::remove(checkpoints / "step-00000010/optimizer.safetensors");
  const CapturedLog log;
  go(/*resume=*/true);
  EXPECT_THAT(log.text(), HasSubstr("corrupt checkpoint: " +
                                    (checkpoints / "step-00000012/model.safetensors").string() +
                                    ": has 100 bytes"));
  EXPECT_THAT(log.text(), HasSubstr("corrupt checkpoint: " +
                                    (checkpoints / "step-00000010/optimizer.safetensors").string() +
                                    ": is missing"));
  EXPECT_THAT(log.text(), HasSubstr("resuming from " + (checkpoints / "step-00000008").string()));
  expect_equal(last_weights(), expected);
}

TEST_F(Run, ResumesExactlyInBf16) {
  config.training.precision = Precision::bf16;
  config.training.save_steps = 7;
  go();
  const auto expected = last_weights();
  reset();
  config.training.max_steps = 7;
  config.training.valid_steps = 0;
  go();
  config.training.max_steps = 12;
  config.training.valid_steps = 4;
  go(/*resume=*/true);
  expect_equal(last_weights(), expected);
}

}  // namespace
}  // namespace tfm
