// Tests whole runs (training/run.h) on the test device: validations, checkpoints and resuming.
#include "captured_log.h"
#include "on_device.h"
#include "tfm/training/validator.h"
#include "training/run_fixture.h"

namespace tfm {
namespace {

using testing::HasSubstr;

class RunOnDevice : public Run {
 protected:
  RunOnDevice() {
    config.training.device = "cuda";
    // Adam makes full steps from gradients of key biases, which are only rounding errors.
    config.model.bias = false;
    config.model.dropout = 0;
    config.decoding.precision = DecodingPrecision::fp32;
  }
};

/// Returns the numbers of "STEP LOSS BLEU".
std::vector<double> read_numbers(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<double>(stream), {}};
}

TEST_F(RunOnDevice, ScoresAndLearnsLikeARunOnTheCpu) {
  config.training.ema_decay = 0.8;
  config.training.valid_at_start = true;
  go();
  const auto on_device = validations();
  const auto weights = last_weights();
  reset();
  config.training.device = "cpu";
  go();
  const auto on_cpu = validations();
  ASSERT_EQ(on_device.size(), on_cpu.size());
  ASSERT_EQ(on_device.size(), 4U);
  for (std::size_t i = 0; i < on_cpu.size(); ++i) {
    const auto actual = read_numbers(on_device[i]);
    const auto expected = read_numbers(on_cpu[i]);
    EXPECT_EQ(actual[0], expected[0]);
    EXPECT_NEAR(actual[1], expected[1], 1e-3) << "loss of step " << expected[0];
    EXPECT_NEAR(actual[2], expected[2], 0.01) << "BLEU of step " << expected[0];
  }
  for (const auto& [name, tensor] : last_weights())
    EXPECT_TRUE(weights.at(name).allclose(tensor, 0, 1e-3)) << name;
}

TEST_F(RunOnDevice, ResumesBitForBit) {
  config.model.dropout = config.model.attention_dropout = 0.2;
  config.model.layer_dropout = 0.1;
  config.training.token_dropout = 0.1;
  config.training.r_drop = 1;
  config.training.ema_decay = 0.9;
  config.training.gradient_checkpointing = true;
  config.training.accum_count = 2;
  config.training.max_steps = 14;  // beyond the end of an epoch
  config.training.save_steps = 1;
  go();
  const auto straight = last_weights();
  const auto events = validations();
  reset();
  for (const int64_t steps : {3, 8, 14}) {
    config.training.max_steps = steps;
    go(/*resume=*/true);
  }
  expect_equal(last_weights(), straight);
  EXPECT_EQ(validations(), events);
}

TEST_F(RunOnDevice, ResumesBitForBitInFp16) {
  config.training.precision = Precision::fp16;
  config.training.max_steps = 9;
  config.training.save_steps = 1;
  const auto saved_scale = [&] {
    const auto checkpoint = CheckpointStore(folder.path("run")).list().back();
    return read_safetensors(checkpoint / optimizer_file).tensors.at("loss_scale").clone();
  };
  go();
  const auto straight = last_weights();
  const auto scale = saved_scale();
  EXPECT_TRUE(scale.equal(torch::tensor({65536.0F, 9.0F})));
  reset();
  for (const int64_t steps : {4, 9}) {
    config.training.max_steps = steps;
    go(/*resume=*/true);
  }
  expect_equal(last_weights(), straight);
  EXPECT_TRUE(saved_scale().equal(scale));
}

TEST_F(RunOnDevice, ResumesACheckpointOfTheOtherDevice) {
  config.model.dropout = 0.1;
  for (const char* const device : {"cpu", "cuda", "cpu"}) {
    config.training.device = device;
    config.training.max_steps += 4;
    const CapturedLog log;
    const auto result = go(/*resume=*/true);
    EXPECT_EQ(result.end.state.step, config.training.max_steps);
    if (device == std::string("cuda")) {
      EXPECT_THAT(log.text(), HasSubstr("another kind of device"));
    }
  }
}

TEST_F(RunOnDevice, FindsABatchSize) {
  config.training.batch_size = 0;  // auto
  const CapturedLog log;
  EXPECT_EQ(go().end.state.step, config.training.max_steps);
  EXPECT_THAT(log.text(), HasSubstr("batch_size"));
}

TEST(ValidatorOnDevice, ScoresLikeTheCpus) {
  const ParallelText text{.source = {"a b", "c", "d e f", "g h i j a b", "b b"},
                          .target = {"b a", "c", "f e d", "a b j i h g", "c c c"},
                          .line = {1, 2, 3, 4, 5},
                          .skipped = {},
                          .files = {}};
  for (const std::int64_t beam : {1, 4}) {
    const auto score = [&](torch::Device device) {
      auto model = make_small_model(device, [&](Config& c) { c.decoding.beam_size = beam; });
      return Validator(model.config, text, model.tokenizers).run(model).scores;
    };
    const auto actual = score(test_device);
    const auto expected = score(cpu);
    EXPECT_NEAR(actual.loss, expected.loss, 1e-5);
    EXPECT_EQ(actual.bleu, expected.bleu);
    EXPECT_EQ(actual.chrf, expected.chrf);
  }
}

}  // namespace
}  // namespace tfm
