#include "tfm/training/averaging.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "small_run.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/data/language_counts.h"
#include "tfm/model/model_folder.h"
#include "tfm/training/run.h"
#include "tfm/translate/translator.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class Averaging : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder = new TemporaryFolder;
    auto config = small_run(*folder);
    config.training.keep_checkpoints = 3;
    train({.config = config, .name = "test"});
    config.training.run_folder = folder->path("second");
    config.training.seed = 2;
    train({.config = config, .name = "test"});
    config.training.run_folder = folder->path("wider");
    config.model.transformer_ff = 96;
    train({.config = config, .name = "test"});
    config.model.transformer_ff = 64;
    config.training.run_folder = folder->path("more heads");
    config.model.heads = 4;
    train({.config = config, .name = "test"});
  }
  static void TearDownTestSuite() { delete folder; }

  static fs::path run() { return folder->path("run"); }
  static std::string validation(int step, int bleu) {
    return fmt::format("{{\"event\":\"validation\",\"step\":{},\"bleu\":{}}}\n", step, bleu);
  }
  static StateDict weights(const fs::path& place) {
    return read_safetensors(place / weights_file).tensors;
  }

  inline static TemporaryFolder* folder = nullptr;
};

TEST_F(Averaging, WritesAModelThatHasTheMeanWeightsAndTranslates) {
  const auto out = folder->path("mean");
  average_models({run(), folder->path("second")}, out);
  const auto a = weights(run()), b = weights(folder->path("second"));
  for (const auto& [name, tensor] : weights(out))
    EXPECT_TRUE(tensor.allclose((a.at(name) + b.at(name)) / 2, 1e-5, 1e-7)) << name;
  auto model = load_model(out, torch::kCPU);
  EXPECT_EQ(Translator(model, model.config.decoding).translate({"aaa"}).size(), 1u);
  EXPECT_EQ(read_file(out / languages_file), read_file(run() / languages_file));
}

TEST_F(Averaging, AcceptsCheckpointsOfARun) {
  const auto out = folder->path("of checkpoints");
  const auto chosen = select_checkpoints(run(), {.last = 2});
  EXPECT_THAT(chosen, ElementsAre(run() / "checkpoints/step-00000008",
                                  run() / "checkpoints/step-00000012"));
  average_models(chosen, out);
  EXPECT_EQ(load_tokenizers(small_run(*folder).tokenizer, out).source->size(),
            load_tokenizers(small_run(*folder).tokenizer, run()).source->size());
  EXPECT_THAT(read_file(out / "report.json"), HasSubstr("step-00000012"));
}

TEST_F(Averaging, AcceptsPathsWithATrailingSlash) {
  const auto out = folder->path("of completed names");
  average_models({run() / "", run() / "checkpoints/step-00000008/"}, out);
  EXPECT_TRUE(fs::exists(out / weights_file));
}

TEST_F(Averaging, CopiesASingleModel) {
  const auto checkpoint = run() / "checkpoints/step-00000008";
  const auto out = folder->path("copy");
  average_models({checkpoint}, out);
  for (const auto& [name, tensor] : weights(out))
    EXPECT_TRUE(tensor.equal(weights(checkpoint).at(name))) << name;
  EXPECT_NO_THROW(load_model(out, torch::kCPU));
  EXPECT_THAT(select_checkpoints(run(), {.last = 1}),
              ElementsAre(run() / "checkpoints/step-00000012"));
}

TEST_F(Averaging, SelectsTheCheckpointsWithTheBestScores) {
  const auto kept = read_file(run() / "metrics.jsonl");
  // The second score of step 12 is that of the average.
  write_file(run() / "metrics.jsonl",
             validation(4, 9) + validation(8, 3) + validation(12, 5) + validation(12, 1));
  EXPECT_THAT(
      select_checkpoints(run(), {.best = 2}),
      ElementsAre(run() / "checkpoints/step-00000004", run() / "checkpoints/step-00000012"));
  write_file(run() / "metrics.jsonl", kept);
}

/// Covers a changed metric, a metric that was changed and restored, and the best validation in a
/// metric_changed event.
TEST_F(Averaging, SelectsBestCheckpointsByTheCurrentMetric) {
  const auto kept = read_file(run() / "metrics.jsonl");
  const auto change = [](int before, int now, const std::string& more = "") {
    return fmt::format(
        "{{\"event\":\"metric_changed\",\"step\":8,\"before\":\"{}\",\"now\":\"{}\"{}}}\n", before,
        now, more);
  };
  const auto old =
      validation(4, 9) + validation(8, 3) + change(1, 2) + validation(8, 90) + validation(12, 80);
  write_file(run() / "metrics.jsonl", old);
  EXPECT_THAT(
      select_checkpoints(run(), {.best = 2}),
      ElementsAre(run() / "checkpoints/step-00000008", run() / "checkpoints/step-00000012"));
  write_file(run() / "metrics.jsonl", old + change(2, 1) + validation(12, 5));
  EXPECT_THAT(
      select_checkpoints(run(), {.best = 2}),
      ElementsAre(run() / "checkpoints/step-00000004", run() / "checkpoints/step-00000012"));
  const auto the_models = ",\"best_validation\":{\"step\":4,\"bleu\":9}";
  write_file(run() / "metrics.jsonl",
             validation(8, 90) + change(1, 3, the_models) + validation(8, 3) + validation(12, 5));
  EXPECT_THAT(
      select_checkpoints(run(), {.best = 2}),
      ElementsAre(run() / "checkpoints/step-00000004", run() / "checkpoints/step-00000012"));
  write_file(run() / "metrics.jsonl", kept);
}

/// The best_validation of a metric_changed or rollback event may be the score of an average at that
/// step, or of weights that a rollback discarded.
TEST_F(Averaging, IgnoresScoresThatDoNotBelongToTheCheckpoints) {
  const auto kept = read_file(run() / "metrics.jsonl");
  const std::string the_models = "\"best_validation\":{\"step\":12,\"bleu\":99}}\n";
  for (const std::string event : {R"({"event":"metric_changed","step":8,"before":"1","now":"2",)",
                                  R"({"event":"rollback","step":8,)"}) {
    write_file(run() / "metrics.jsonl",
               event + the_models + validation(4, 60) + validation(8, 50) + validation(12, 5));
    EXPECT_THAT(
        select_checkpoints(run(), {.best = 2}),
        ElementsAre(run() / "checkpoints/step-00000004", run() / "checkpoints/step-00000008"))
        << event;
  }
  write_file(run() / "metrics.jsonl", kept);
}

/// An interruption before the first update leaves a checkpoint with untrained weights.
TEST_F(Averaging, SkipsACheckpointWithUntrainedWeights) {
  const auto untrained = run() / "checkpoints/step-00000000";
  fs::copy(run() / "checkpoints/step-00000004", untrained);
  EXPECT_THAT(select_checkpoints(run(), {}),
              ElementsAre(run() / "checkpoints/step-00000004", run() / "checkpoints/step-00000008",
                          run() / "checkpoints/step-00000012"));
  fs::remove_all(untrained);
}

TEST_F(Averaging, RefusesOtherArchitecturesAndVocabulariesAndMissingModels) {
  const auto out = folder->path("none");
  const auto refusal = [&](const std::vector<fs::path>& folders) {
    return message_of<ModelError>([&] { average_models(folders, out); });
  };
  EXPECT_THAT(refusal({run(), folder->path("wider")}), HasSubstr("another architecture"));
  EXPECT_THAT(refusal({run(), folder->path("more heads")}), HasSubstr("model.heads"))
      << "its weights have the same shapes";
  EXPECT_THAT(refusal({run() / "checkpoints"}), HasSubstr("neither a model folder nor"));
  EXPECT_THAT(refusal({run(), folder->path("nowhere")}), HasSubstr("nowhere"));
  fs::copy(folder->path("second"), folder->path("other words"), fs::copy_options::recursive);
  auto words = folder->read("other words/source.vocab");
  folder->write("other words/source.vocab", words.replace(words.find("aaa"), 3, "zzz"));
  EXPECT_THAT(refusal({run(), folder->path("other words")}), HasSubstr("another vocabulary"));
  EXPECT_FALSE(fs::exists(out));
  EXPECT_THAT(
      message_of<ModelError>([&] { average_models({run(), folder->path("second")}, run()); }),
      HasSubstr("holds a model already"));
  EXPECT_THAT(message_of<ModelError>([&] { select_checkpoints(run(), {.last = 9}); }),
              HasSubstr("keeps 3 checkpoints"));
  EXPECT_THAT(message_of<ModelError>([&] { select_checkpoints(folder->path("mean"), {}); }),
              HasSubstr("keeps 0 checkpoints"));
}

}  // namespace
}  // namespace tfm
