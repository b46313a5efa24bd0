// Tests the program with the test device, which LD_PRELOAD adds to it.
#include "end_to_end/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tfm/tensor/safetensors.h"

namespace tfm {
namespace {

using testing::HasSubstr;

constexpr const char* train_toy =
    "train --config configs/toy.yaml training.max_epochs=20 model.encoder_layers=2 "
    "model.decoder_layers=2 model.hidden_size=64 model.heads=2 model.head_size=32 "
    "model.transformer_ff=128 training.learning_rate=0.02 training.momentum=0.9 "
    "training.precision=fp32 ";

class ProgramOnDevice : public testing::Test {
 protected:
  /// Runs tfm with the test device, and expects success and at least one operation of the device.
  Outcome tfm_on_device(const std::string& arguments, const std::string& input = "") const {
    // ASan objects to a library before its own.
    auto outcome = place.tfm(arguments, input,
                             "env TFM_TEST_DEVICE_REPORT=counts LD_PRELOAD='" TFM_TEST_DEVICE
                             "' ASAN_OPTIONS=\"$ASAN_OPTIONS:verify_asan_link_order=0\"");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::istringstream report(place.folder.read("counts"));
    int operations = 0;
    report >> operations;
    EXPECT_GT(operations, 0) << arguments;
    std::filesystem::remove(place.folder.path("counts"));
    return outcome;
  }
  Outcome tfm_on_cpu(const std::string& arguments, const std::string& input = "") const {
    auto outcome = place.tfm(arguments, input);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome;
  }
  double last_loss(const std::string& log) const {
    const auto last = log.rfind("loss = ");
    return last == std::string::npos ? -1 : std::stod(log.substr(last + 7));
  }
  StateDict weights(const std::string& run) const {
    return read_safetensors(place.folder.path("runs") / run / "model.safetensors").tensors;
  }

  Workplace place;
};

TEST_F(ProgramOnDevice, TrainsLikeOnTheCpu) {
  const std::string train = std::string(train_toy) + "model.embedding_dropout=0 ";
  const auto on_device =
      tfm_on_device(train + "training.run_folder=runs/device training.device=cuda --trace t.json");
  EXPECT_THAT(on_device.err, HasSubstr("CUDA 0"));
  EXPECT_THAT(place.folder.read("t.json"), HasSubstr("aten::embedding_dense_backward"));
  const auto on_cpu = tfm_on_cpu(train + "training.run_folder=runs/cpu");
  EXPECT_NEAR(last_loss(on_device.err), last_loss(on_cpu.err), 1e-3);
  const auto expected = weights("cpu");
  for (const auto& [name, tensor] : weights("device"))
    EXPECT_TRUE(tensor.allclose(expected.at(name), 0, 1e-4)) << name;
}

TEST_F(ProgramOnDevice, ResumesBitForBit) {
  const std::string train =
      std::string(train_toy) + "model.dropout=0.1 training.ema_decay=0.9 training.device=auto ";
  tfm_on_device(train + "training.run_folder=runs/straight");
  const std::string stopped = train + "training.run_folder=runs/stopped ";
  tfm_on_device(stopped + "training.max_epochs=7");
  tfm_on_device(stopped + "--resume");
  const auto expected = weights("straight");
  for (const auto& [name, tensor] : weights("stopped"))
    EXPECT_TRUE(tensor.equal(expected.at(name))) << name;
}

TEST_F(ProgramOnDevice, TranslatesAndScoresLikeOnTheCpu) {
  tfm_on_cpu(train_toy);
  const std::string lines = "ich mochte ein bier\nich mochte ein cola\n\nein\n";
  for (const char* const options : {"--beam-size 1", "--beam-size 4", "--sampling --seed 3"}) {
    const auto command = "translate --precision fp32 " + std::string(options);
    EXPECT_EQ(tfm_on_device(command + " --device cuda", lines).out, tfm_on_cpu(command, lines).out)
        << options;
  }
  const std::string score =
      "score --precision fp32 --source data/toy/train.de --target data/toy/train.en";
  std::istringstream actual(tfm_on_device(score + " --device cuda:0").out);
  std::istringstream expected(tfm_on_cpu(score).out);
  for (int i = 0; i < 2; ++i) {
    double on_device = 0;
    double on_cpu = 0;
    ASSERT_TRUE(actual >> on_device && expected >> on_cpu);
    EXPECT_NEAR(on_device, on_cpu, 1e-3);
  }
}

}  // namespace
}  // namespace tfm
