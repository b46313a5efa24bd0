// Tests runs on the corpus data/cafe: training with subwords, interruption by a signal, and
// resuming.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.h"

namespace tfm {
namespace {

using testing::HasSubstr;

const std::string small_training =
    "train --config configs/demo.yaml model.hidden_size=32 model.transformer_ff=64 "
    "model.encoder_layers=1 model.decoder_layers=1 "
    "training.batch_size=512 training.valid_sentences=10 decoding.beam_size=1 training.threads=1 "
    "training.schedule=constant ";

TEST(CafeRun, SavesACheckpointOnASignalAndResumes) {
  Workplace place;
  const auto stopped =
      place.tfm(small_training + "training.max_steps=100000 training.valid_steps=0", "",
                "timeout --preserve-status -s TERM 6");
  EXPECT_EQ(stopped.code, 130) << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("everything is saved in runs/cafe"));
  const auto resumed =
      place.tfm(small_training + "training.max_steps=1 training.valid_steps=0 --resume");
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_THAT(resumed.err, HasSubstr("resuming from runs/cafe/checkpoints/step-"));
}

TEST(CafeModel, TranslatesWithTheTokenizerThatTrainingLearned) {
  Workplace place;
  const auto training = place.tfm(small_training + "training.max_steps=20 training.valid_steps=20");
  ASSERT_EQ(training.code, 0) << training.err;
  EXPECT_TRUE(std::filesystem::exists(place.folder.path("runs") / "cafe" / "joint.model"));
  const auto translation = place.tfm("translate -i data/cafe/test.de --max-length 10 -q");
  EXPECT_EQ(translation.code, 0) << translation.err;
  EXPECT_EQ(std::count(translation.out.begin(), translation.out.end(), '\n'), 250);
}

}  // namespace
}  // namespace tfm
