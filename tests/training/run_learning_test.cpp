// Tests the weights that runs learn, with different batches, padding and precision, and the
// averages of their checkpoints.
#include <limits>

#include "captured_log.h"
#include "failing_allocator.h"
#include "run_fixture.h"
#include "tfm/core/error.h"
#include "tfm/model/model_folder.h"
#include "tfm/training/checkpoint_contents.h"
#include "tfm/training/run.h"
#include "tfm/translate/translator.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST_F(Run, MemorizesItsTrainingData) {
  config.training.max_steps = 400;
  config.training.valid_steps = 100;
  config.training.label_smoothing = 0;
  config.training.best_by = BestBy::loss;
  config.model.dropout = 0;
  const auto result = go();
  auto model = load_model(result.folder, torch::kCPU);
  const auto report = nlohmann::json::parse(read_file(result.folder / report_file));
  // The validation pairs are among the training pairs.
  EXPECT_GT(report["validation"]["bleu"].get<double>(), 95);
  EXPECT_LT(report["validation"]["loss"].get<double>(), 0.1);
  EXPECT_EQ(Translator(model, model.config.decoding).translate({"aaa bbb"}).front().text(),
            "mmm nnn");
}

TEST_F(Run, LearnsTheSameWeightsIfBatchesDoNotFitIntoMemory) {
  config.model.dropout = 0;                        // halves would draw other random numbers
  config.training.optimizer = OptimizerKind::sgd;  // Adam would turn rounding noise into full steps
  config.data.train_source = folder.write("more.src", made_up_text('a', 400));
  config.data.train_target = folder.write("more.tgt", made_up_text('m', 400));
  config.training.batch_size = 4000;
  go();
  const auto expected = last_weights();
  int refused_in_backward = 0;
  for (const int every : {1, 8, 15}) {
    reset();
    // 200,000 bytes hold the queries, keys and values of 520 tokens, a third of the corpus.
    const FailingAllocator memory(200'000, every);
    const CapturedLog log;
    go();
    EXPECT_THAT(log.text(), HasSubstr("out of memory in a batch of"));
    refused_in_backward += memory.refused_in_backward();
    const auto found = last_weights();
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [name, tensor] : expected)
      EXPECT_TRUE(tensor.allclose(found.at(name), 1e-3, 1e-4)) << every << " " << name;
  }
  EXPECT_GT(refused_in_backward, 0);
}

TEST_F(Run, LearnsExactlyTheSameWeightsWithGradientCheckpointing) {
  config.model.dropout = 0.2;
  config.training.accum_count = 2;
  go();
  const auto kept = last_weights();
  reset();
  config.training.gradient_checkpointing = true;
  go();
  expect_equal(last_weights(), kept);
}

/// One word has an infinite embedding. Batches with this word have no finite loss, and must not
/// change the weights.
TEST_F(Run, SkipsBatchesWithoutAFiniteLossAndNamesTheirLines) {
  config.training.max_steps = 1;
  go();
  fs::rename(folder.path("run"), folder.path("origin"));
  const auto file = folder.path("origin") / weights_file;
  auto weights = read_safetensors(file).tensors;
  const auto tokenizer = load_tokenizers(config.tokenizer, folder.path("origin")).source;
  const auto bad = tokenizer->encode("aaa").front();
  weights.at("source_embedding.weight")[bad] = std::numeric_limits<float>::infinity();
  write_safetensors(file, weights);
  config.training.init_from = folder.path("origin").string();
  config.training.batch_type = BatchType::sentences;
  config.training.batch_size = 1;
  config.training.on_divergence = OnDivergence::skip;
  config.data.valid_source.clear();
  config.data.valid_target.clear();
  config.training.valid_steps = 0;
  config.training.max_steps = 0;
  config.training.max_epochs = 1;
  const CapturedLog log;
  go();
  std::istringstream source(made_up_text('a', 40));
  int number = 0;
  for (std::string line; std::getline(source, line);) {
    const auto named = fmt::format(
        "the loss is not finite; this update is skipped, number [0-9]+ in a row .of the training "
        "data: line {}\\)",
        ++number);
    EXPECT_EQ(std::regex_search(log.text(), std::regex(named)), line.find("aaa") != line.npos)
        << number;
  }
  for (const auto& [name, tensor] : last_weights()) {
    const auto finite = tensor.isfinite();
    EXPECT_TRUE(
        (name == "source_embedding.weight" ? finite.narrow(0, 0, bad) : finite).all().item<bool>())
        << name;
  }
  for (const auto& [name, tensor] :
       read_safetensors(CheckpointStore(folder.path("run")).list().back() / "optimizer.safetensors")
           .tensors) {
    EXPECT_TRUE(!tensor.is_floating_point() || tensor.isfinite().all().item<bool>()) << name;
  }
}

TEST_F(Run, LearnsTheSameWeightsFromAccumulatedBatchesAsFromOneLargeBatch) {
  config.model.dropout = 0;
  config.training.optimizer = OptimizerKind::sgd;
  config.training.shuffle = false;
  config.training.batch_type = BatchType::sentences;
  config.training.batch_size = 20;
  config.training.max_steps = 4;
  go();
  const auto whole = last_weights();
  reset();
  config.training.batch_size = 5;
  config.training.accum_count = 4;
  go();
  for (const auto& [name, tensor] : last_weights())
    EXPECT_LT((tensor - whole.at(name)).abs().max().item<double>(), 1e-5) << name;
}

TEST_F(Run, LearnsTheSameWeightsWithFixedLengthAsWithDynamicPadding) {
  config.model.dropout = config.model.embedding_dropout = 0;
  // Adam would amplify the rounding noise of zero gradients.
  config.training.optimizer = OptimizerKind::sgd;
  config.training.batch_type = BatchType::sentences;
  config.training.batch_size = 40;  // one batch has all pairs, so both runs train on the same batch
  go();
  const auto expected = last_weights();
  reset();
  config.data.fixed_length = 9;
  go();
  for (const auto& [name, tensor] : last_weights())
    EXPECT_TRUE(tensor.allclose(expected.at(name), 1e-3, 1e-4)) << name;
}

TEST_F(Run, ReportsTheAttentionHeadThatAlignsBest) {
  config.training.max_steps = 300;
  config.training.valid_steps = 300;
  config.model.dropout = 0;
  config.data.valid_alignment = folder.write("valid.align", [] {
    std::string lines;
    std::istringstream text(made_up_text('a', 10));
    for (std::string line; std::getline(text, line);) {
      for (std::ptrdiff_t word = 0; word <= std::count(line.begin(), line.end(), ' '); ++word)
        lines += fmt::format("{0}-{0} ", word);
      lines += "\n";
    }
    return lines;
  }());
  const auto result = go();
  const auto report = nlohmann::json::parse(read_file(result.folder / report_file));
  EXPECT_LT(report["alignment"]["error_rate"].get<double>(), 0.5);
  const auto model = load_model(result.folder, torch::kCPU);
  ASSERT_TRUE(model.best_alignment_head.has_value());
  EXPECT_EQ(to_string(*model.best_alignment_head), report["alignment"]["head"].get<std::string>());
  folder.write("valid.align", "0-0\n");
  reset();
  EXPECT_THROW(go(), DataError) << "one alignment for ten lines";
}

TEST_F(Run, ReachesALowLossInBf16AndInFp32) {
  config.training.max_steps = 400;
  config.training.valid_steps = 0;
  config.training.label_smoothing = 0;
  config.model.dropout = 0;
  const auto loss = [&](Precision precision) {
    config.training.precision = precision;
    reset();
    return nlohmann::json::parse(read_file(go().folder / report_file))["validation"]["loss"]
        .get<double>();
  };
  EXPECT_LT(loss(Precision::bf16), 0.1);
  EXPECT_LT(loss(Precision::fp32), 0.1);
}

/// Returns the losses of the validations in the metrics.jsonl of this run.
std::vector<double> validation_losses(const std::filesystem::path& run) {
  std::vector<double> losses;
  std::istringstream lines(read_file(run / "metrics.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const auto event = nlohmann::json::parse(line);
    if (event["event"] == "validation") losses.push_back(event["loss"].get<double>());
  }
  return losses;
}

bool equal(const StateDict& a, const StateDict& b) {
  return std::ranges::equal(a, b, [](const auto& left, const auto& right) {
    return left.first == right.first && left.second.equal(right.second);
  });
}

TEST_F(Run, SavesTheAverageOfItsLastCheckpointsAsTheModelIfTheAverageScoresBetter) {
  config.training.max_steps = 60;
  config.training.valid_steps = config.training.save_steps = 10;
  config.training.keep_checkpoints = config.training.average_checkpoints = 3;
  config.training.learning_rate = 0.05;  // so large that weights oscillate and a mean may be better
  config.training.schedule = ScheduleKind::constant;
  config.training.best_by = BestBy::loss;
  // Whether the mean is better depends on the processor's rounding, so several seeds are tried.
  bool mean_was_better = false;
  for (int seed = 1; seed <= 12 && !mean_was_better; ++seed) {
    config.training.seed = seed;
    reset();
    go();
    auto losses = validation_losses(folder.path("run"));
    ASSERT_EQ(losses.size(), 7U) << "six of the weights and one of their mean";
    const auto mean_loss = losses.back();
    losses.pop_back();
    mean_was_better = mean_loss < std::ranges::min(losses);
    const auto mean = average_weights(CheckpointStore(folder.path("run")).list());
    const auto model = read_safetensors(folder.path("run") / weights_file).tensors;
    EXPECT_EQ(equal(model, mean), mean_was_better) << "seed " << seed;
  }
  EXPECT_TRUE(mean_was_better);
}

TEST_F(Run, AveragesItsCheckpointsAgainIfTheMetricChanged) {
  config.training.save_steps = 3;
  config.training.keep_checkpoints = config.training.average_checkpoints = 3;
  go();
  config.training.best_by = BestBy::loss;
  const CapturedLog log;
  go(/*resume=*/true);
  EXPECT_THAT(log.text(), HasSubstr("average of the last 3 checkpoints"));
}

TEST_F(Run, LeavesACorruptCheckpointOutOfTheAverage) {
  config.training.valid_steps = config.training.save_steps = 4;
  config.training.keep_checkpoints = config.training.average_checkpoints = 3;
  config.training.max_steps = 11;
  go();
  write_file(folder.path("run") / "checkpoints/step-00000008/model.safetensors", "x");
  config.training.max_steps = 12;
  const CapturedLog log;
  EXPECT_EQ(go(/*resume=*/true).end.state.step, 12);
  EXPECT_THAT(log.text(), HasSubstr("average of the last 2 checkpoints"));
}

}  // namespace
}  // namespace tfm
