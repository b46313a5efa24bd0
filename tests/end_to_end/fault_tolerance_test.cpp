// Tests failures of a run: a second process in its folder, SIGKILL, a full disk.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "child.h"
#include "program.h"

namespace tfm {
namespace {

using testing::HasSubstr;

class FaultTolerance : public testing::Test {
 protected:
  nlohmann::json status() const {
    return nlohmann::json::parse(place.folder.read("runs/cafe/status.json"));
  }

  /// Returns true if the run has a checkpoint of any step. The test does not wait for a certain
  /// step, because the trainer may already have deleted the checkpoint of that step.
  bool has_checkpoint() const {
    const auto folder = place.folder.path("runs/cafe/checkpoints");
    if (!std::filesystem::exists(folder)) return false;
    return std::any_of(begin(std::filesystem::directory_iterator(folder)),
                       end(std::filesystem::directory_iterator()), [](const auto& entry) {
                         return entry.path().filename().string().starts_with("step-");
                       });
  }

  Workplace place;
  const std::string train =
      "train --config configs/demo.yaml model.hidden_size=32 model.transformer_ff=64 "
      "model.encoder_layers=1 model.decoder_layers=1 "
      "training.batch_size=512 training.valid_sentences=10 decoding.beam_size=1 training.threads=1 "
      "training.schedule=constant "
      "training.warmup_steps=2 training.valid_steps=0 training.save_steps=2 training.device=cpu ";
};

TEST_F(FaultTolerance, RejectsASecondTrainerAndResumesAfterAKill) {
  Child first(place.folder.path(), train + "training.max_steps=1000000");
  while (!has_checkpoint() && first.runs())
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_TRUE(first.runs()) << place.folder.read("log");
  const auto second = place.tfm(train + "training.max_steps=4 --resume");
  EXPECT_EQ(second.code, 1) << second.err;
  EXPECT_THAT(second.err, HasSubstr("runs/cafe: is in use by process " + status()["pid"].dump()));
  first.end_by(SIGKILL);
  EXPECT_EQ(status()["state"], "running") << "a killed process can't change its status";
  const auto third = place.tfm(train + "training.max_steps=3 --resume");
  EXPECT_EQ(third.code, 0) << third.err;
  EXPECT_THAT(third.err, HasSubstr("ended unexpectedly at step"));
  EXPECT_EQ(status()["state"], "finished");
  EXPECT_EQ(status()["exit_code"], 0);
}

/// Simulates a full disk by a limit on file sizes that allows the weights, but not Adam's two
/// moments.
TEST_F(FaultTolerance, ResumesARunThatFailedOnAFullDisk) {
  EXPECT_EQ(place.tfm(train + "training.max_steps=2").code, 0);
  const auto weights = std::filesystem::file_size(place.folder.path("runs/cafe/model.safetensors"));
  const auto blocks = std::to_string(weights / 512 + 20);  // ulimit counts in blocks of 512 bytes
  const auto full =
      place.tfm(train + "training.max_steps=6 --resume", "", "ulimit -f " + blocks + " && ");
  EXPECT_EQ(full.code, 1) << full.err;
  EXPECT_THAT(full.err, HasSubstr("checkpoints: has no space for a file of"));
  EXPECT_THAT(full.err, HasSubstr("File too large"));
  EXPECT_THAT(full.err, HasSubstr("the checkpoint of step 2 is complete"));
  EXPECT_EQ(status()["state"], "failed");
  EXPECT_EQ(status()["exit_code"], 1);
  const auto resumed = place.tfm(train + "training.max_steps=6 --resume");
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_THAT(resumed.err, HasSubstr("resuming from runs/cafe/checkpoints/step-00000002"));
  EXPECT_EQ(status()["step"], 6);
}

}  // namespace
}  // namespace tfm
