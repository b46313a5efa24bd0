#include "tfm/training/update_step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "captured_log.h"
#include "failing_allocator.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"
#include "tfm/losses/objective.h"
#include "training/scratch_training.h"
#include "translate/tiny_model.h"

namespace tfm {
namespace {

using testing::HasSubstr;

StateDict copy_weights(const TranslationModel& model) {
  StateDict copies;
  for (const auto& [name, tensor] : state_dict(*model.network)) copies[name] = tensor.clone();
  return copies;
}

/// Provides a corpus of 64 sentence pairs and a small model with the same initial weights in each
/// test. By default, the model is trained by SGD without dropout.
class UpdateStepTest : public testing::Test {
 protected:
  UpdateStepTest() {
    model.config.model.dropout = 0;
    model.config.training.precision = Precision::fp32;
    model.config.training.optimizer = OptimizerKind::sgd;
    model.config.training.clip_norm = 0;
    model.config.training.label_smoothing = 0.1;
    for (std::int64_t i = 0; i < 64; ++i) {
      const auto word = [&](std::int64_t j) { return static_cast<TokenId>(4 + (i + j) % 10); };
      corpus.examples.push_back({TokenIds{word(0), word(1), word(2), word(3), word(4), word(5), 2},
                                 TokenIds{word(3), word(1), word(0)}, 100 + i});
    }
    reset();
  }
  void reset() {
    torch::manual_seed(1);
    model.network = Transformer(model.config.model, vocab_sizes(model.tokenizers));
  }
  static BatchIndices range(std::int64_t begin, std::int64_t end) {
    BatchIndices indices(static_cast<std::size_t>(end - begin));
    std::iota(indices.begin(), indices.end(), begin);
    return indices;
  }
  /// Makes one update of the current weights, with a new optimizer.
  UpdateStep::Done update(const std::vector<BatchIndices>& batches, double learning_rate = 0.1) {
    const ProcessGroup alone;
    Optimizer optimizer(model.config.training, *model.network);
    return UpdateStep(model, optimizer, alone).run(batches, corpus, learning_rate, 0);
  }
  /// Makes the loss of every pair with this source word infinite or NaN.
  void spoil_word(TokenId word) {
    const torch::NoGradGuard no_grad;
    for (auto& item : model.network->named_parameters()) {
      if (item.key().find("source_embedding") != std::string::npos)
        item.value()[word] = std::numeric_limits<float>::infinity();
    }
  }
  void expect_weights(const StateDict& expected, double tolerance) const {
    for (const auto& [name, tensor] : state_dict(*model.network)) {
      EXPECT_TRUE(tensor.allclose(expected.at(name), 0, tolerance, /*equal_nan=*/true)) << name;
    }
  }

  TranslationModel model = tiny_model();
  Corpus corpus;
};

TEST(TrainingType, Fp16IsRefusedOnTheCpu) {
  Config config;
  config.training.precision = Precision::fp16;
  EXPECT_THAT(message_of<ConfigError>([&] { training_type(config, torch::kCPU); }),
              HasSubstr("training.precision: fp16 is only supported on GPUs"));
}

TEST_F(UpdateStepTest, ReportsLossTokensGradientNormAndLearningRate) {
  const CollateOptions format{.source = model.tokenizers.source->special(),
                              .target = model.tokenizers.target->special()};
  const auto loss = compute_loss(model, collate(corpus, range(0, 5), format));
  (loss / 20).backward();
  double squares = 0;
  for (const auto& parameter : model.network->parameters())
    squares += parameter.grad().square().sum().item<double>();
  model.config.training.clip_norm = 1e-3;
  const auto done = update({range(0, 5)}, 0.25);
  EXPECT_NEAR(done.loss, loss.item<double>(), 1e-4);
  EXPECT_EQ(done.target_tokens, 5 * 4);
  EXPECT_EQ(done.tokens, 5 * (4 + 7));
  EXPECT_NEAR(done.gradient_norm, std::sqrt(squares), 1e-4) << "before clipping";
  EXPECT_EQ(done.learning_rate, 0.25);
  EXPECT_FALSE(done.split);
  EXPECT_TRUE(done.finite());
  EXPECT_EQ(done.non_finite_lines, "");
}

TEST_F(UpdateStepTest, MakesTheSameUpdateFromSeveralBatchesAsFromOneWithAllPairs) {
  const auto before = copy_weights(model);
  const auto whole = update({range(0, 9)});
  const auto expected = copy_weights(model);
  EXPECT_FALSE(expected.begin()->second.equal(before.at(expected.begin()->first)));
  for (const auto& batches : {std::vector{range(0, 3), range(3, 9)},
                              std::vector{range(5, 9), range(0, 1), range(1, 5)}}) {
    reset();
    const auto done = update(batches);
    EXPECT_NEAR(done.loss, whole.loss, 1e-4);
    EXPECT_EQ(done.tokens, whole.tokens);
    EXPECT_NEAR(done.gradient_norm, whole.gradient_norm, 1e-5);
    expect_weights(expected, 1e-6);
  }
}

TEST_F(UpdateStepTest, MakesTheSameUpdateIfTheBatchDoesNotFitIntoMemory) {
  const auto whole = update({range(0, 64)});
  const auto expected = copy_weights(model);
  reset();
  const FailingAllocator memory(60'000, 1);  // queries, keys and values of 448 tokens take 86 kB
  const CapturedLog log;
  const auto done = update({range(0, 64)});
  EXPECT_FALSE(whole.split);
  EXPECT_TRUE(done.split);
  EXPECT_THAT(log.text(), HasSubstr("out of memory in a batch of 64 sentence pairs"));
  EXPECT_NEAR(done.loss, whole.loss, 1e-3);
  expect_weights(expected, 1e-6);
}

TEST_F(UpdateStepTest, SkipsAnUpdateWithoutAFiniteLossAndNamesTheLinesOfItsBatch) {
  spoil_word(9);  // occurs in the sources of pairs 0 to 5, 10 to 15, ...
  const auto before = copy_weights(model);
  const auto done = update({range(6, 8), range(3, 5)});
  EXPECT_FALSE(done.finite());
  EXPECT_EQ(done.non_finite_lines, "lines 103, 104") << "not those of the other batch";
  expect_weights(before, 0);
}

TEST_F(UpdateStepTest, NamesTheLinesOfAllBatchesIfOnlyTheGradientIsNotFinite) {
  model.network->parameters().front().register_hook(
      [](const torch::Tensor& gradient) { return gradient / 0; });
  const auto before = copy_weights(model);
  const auto done = update({range(6, 8), range(3, 4)});
  EXPECT_TRUE(std::isfinite(done.loss));
  EXPECT_FALSE(done.finite());
  EXPECT_EQ(done.non_finite_lines, "lines 106, 107; line 103");
  expect_weights(before, 0);
}

TEST_F(UpdateStepTest, TrainsWithDropoutAfterEvaluationMode) {
  model.config.model.dropout = 0.5;
  reset();
  model.network->eval();
  const auto first = update({range(0, 5)}, 0);
  EXPECT_NE(update({range(0, 5)}, 0).loss, first.loss) << "dropout uses other random numbers";
}

TEST(DescribeSkipped, NamesTheNonFiniteQuantityAndTheLines) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  UpdateStep::Done done;
  done.loss = done.gradient_norm = infinity;
  done.non_finite_lines = "lines 3, 4";
  EXPECT_EQ(describe_skipped(done, 12, 2),
            "step 12: the loss is not finite; this update is skipped, number 2 in a row (of the "
            "training data: lines 3, 4)");
  done.loss = 1;
  done.non_finite_lines.clear();
  EXPECT_THAT(describe_skipped(done, 12, 2), HasSubstr("the gradient is not finite"));
  EXPECT_THAT(describe_skipped(done, 12, 2), HasSubstr("data: lines of another rank)"));
}

using ScratchTrainingTest = UpdateStepTest;

TEST_F(ScratchTrainingTest, BarelyChangesTheWeightsAndLogsNothingIfTheLossIsFinite) {
  const auto before = copy_weights(model);
  const CapturedLog log;
  const std::vector<BatchIndices> batches{range(0, 9)};
  ScratchTraining scratch(model, corpus);
  EXPECT_TRUE(scratch.update(batches).finite());
  EXPECT_EQ(log.text(), "");
  expect_weights(before, 1e-6);
}

TEST_F(ScratchTrainingTest, CountsConsecutiveSkippedUpdates) {
  spoil_word(9);
  ScratchTraining scratch(model, corpus);
  const CapturedLog log;
  for (const std::int64_t pair : {6, 3, 4}) {
    const std::vector<BatchIndices> batches{range(pair, pair + 1)};
    scratch.update(batches);
  }
  EXPECT_THAT(log.text(), HasSubstr("step 2: the loss is not finite; this update is skipped, "
                                    "number 1 in a row (of the training data: line 103)"));
  EXPECT_THAT(log.text(), HasSubstr("step 3: the loss is not finite; this update is skipped, "
                                    "number 2 in a row (of the training data: line 104)"));
}

TEST_F(ScratchTrainingTest, DetectsABatchThatDoesNotFit) {
  const FailingAllocator memory(60'000, 1);
  const CapturedLog log;
  EXPECT_FALSE(batch_fits(model, corpus, range(0, 64)));
  EXPECT_TRUE(batch_fits(model, corpus, range(0, 16)));
}

}  // namespace
}  // namespace tfm
