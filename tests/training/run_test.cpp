#include "tfm/training/run.h"

#include <csignal>

#include "captured_log.h"
#include "run_fixture.h"
#include "tfm/config/config_file.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/model/model_folder.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

TEST_F(Run, LeavesACompleteModelFolder) {
  const auto result = go();
  EXPECT_EQ(result.end.reason, "max_steps 12 reached");
  for (const char* file : {"config.yaml", "model.safetensors", "source.vocab", "target.vocab",
                           "languages.json", "report.json", "metrics.jsonl"}) {
    EXPECT_TRUE(fs::exists(result.folder / file)) << file;
  }
  const auto report = nlohmann::json::parse(read_file(result.folder / report_file));
  EXPECT_EQ(report["steps"], 12);
  EXPECT_EQ(report["training_text"]["pairs"], 40);
}

TEST_F(Run, ReportsTheSizeOfTheCorpusFilesEvenIfTrainingIsBidirectional) {
  const auto text = [&] {
    return nlohmann::json::parse(read_file(go().folder / report_file))["training_text"];
  };
  config.tokenizer.joint = true;
  const auto one_direction = text();
  reset();
  config.data.bidirectional = true;
  EXPECT_EQ(text(), one_direction);
}

/// A validation may take long. A kill during the validation must not lose the updates before it.
TEST_F(Run, SavesBeforeItValidates) {
  config.training.valid_steps = config.training.max_steps = 12;
  const auto result = go();
  ASSERT_EQ(result.end.state.best_step, 12);
  const auto checkpoint = CheckpointStore(result.folder).list().back();
  EXPECT_LE(fs::last_write_time(checkpoint / weights_file),
            fs::last_write_time(result.folder / weights_file));
}

TEST_F(Run, MarksACheckpointWithoutAScoreAsUnscheduled) {
  config.training.learning_rate = 1e30;
  config.training.valid_steps = config.training.warmup_steps = config.training.max_steps = 1;
  const CapturedLog log;
  EXPECT_THROW(go(), Error);  // because no model was written
  EXPECT_THAT(log.text(), HasSubstr("step 1: no validation:"));
  EXPECT_FALSE(saved_state()["scheduled"].get<bool>());
}

TEST_F(Run, KeepsItsLastScoredCheckpointIfTheFinalWeightsHaveNoScore) {
  config.training.keep_checkpoints = 1;
  for (const int last : {9, 12}) {  // only 12 is a multiple of valid_steps
    reset();
    config.training.max_steps = 8;
    config.training.learning_rate = 0.01;
    go();
    config.training.max_steps = last;
    // At its end, the run reads its config file, in which this learning rate is not allowed.
    config.training.learning_rate = 1e30;
    EXPECT_THROW(go(/*resume=*/true), ConfigError);
    EXPECT_THAT(CheckpointStore(folder.path("run")).list_averageable(),
                testing::ElementsAre(folder.path("run/checkpoints/step-00000008")))
        << last;
    config.training.learning_rate = 0.01;
    folder.write("run/config.yaml", write_config(config));
    go(/*resume=*/true);
    EXPECT_THAT(CheckpointStore(folder.path("run")).list_averageable(),
                testing::ElementsAre(folder.path("run/checkpoints/step-00000008")))
        << last << ": also after the run resumed";
  }
}

TEST_F(Run, ThrowsIfItsFolderCantBeCreated) {
  config.training.run_folder = "/proc/tfm-run";  // not even root can create it
  EXPECT_THAT(message_of<ModelError>([&] { go(); }), HasSubstr("/proc/tfm-run: can't be created"));
}

TEST_F(Run, LogsThatAttentionDropoutMakesTrainingComputePadding) {
  const auto logged = [&](double dropout) {
    config.model.attention_dropout = dropout;
    reset();
    const CapturedLog log;
    go();
    return log.text();
  };
  EXPECT_THAT(logged(0.1), HasSubstr("model.attention_dropout: training computes padding"));
  EXPECT_THAT(logged(0), Not(HasSubstr("attention_dropout")));
}

/// Returns a word list for made_up_text(first_letter, ...).
std::string vocabulary_of(char first_letter) {
  std::string words = "<pad>\n<s>\n</s>\n<unk>\n";
  for (char letter = first_letter; letter < first_letter + 8; ++letter)
    words += std::string(3, letter) + "\n";
  return words;
}

TEST_F(Run, NamesTheFieldOfAMissingFileBeforeItReadsText) {
  config.data.train_source = folder.write("empty", "");
  config.data.valid_source = folder.path("none");
  config.tokenizer.normalization = folder.path("none.tsv");
  const auto file = [&](const char* name) { return folder.path(name).string(); };
  EXPECT_THAT(message_of<DataError>([&] { go(); }),
              HasSubstr("tokenizer.normalization: " + file("none.tsv") + " does not exist\n" +
                        "data.valid_source: " + file("none") + " does not exist\n"));
  EXPECT_FALSE(fs::exists(folder.path("run")));
  EXPECT_THAT(message_of<DataError>([&] { dry_run({.config = config, .name = "test"}); }),
              HasSubstr("data.valid_source: " + file("none") + " does not exist\n"));
  config.training.init_from = folder.path("base");
  EXPECT_THAT(message_of<ConfigError>([&] { go(); }),
              HasSubstr("training.init_from: " + file("base") + " is not a model folder"));
}

TEST_F(Run, ResumesWithoutTheFileOfItsVocabulary) {
  config.tokenizer.source_vocab = folder.write("source", vocabulary_of('a'));
  config.tokenizer.target_vocab = folder.write("target", vocabulary_of('m'));
  go();
  fs::remove(config.tokenizer.source_vocab);
  config.training.max_steps += 4;
  EXPECT_EQ(go(/*resume=*/true).end.state.step, config.training.max_steps);
}

TEST_F(Run, LogsEpochsEvenIfAnUpdateSpansSeveralEpochs) {
  config.training.log_unit = LogUnit::epochs;
  config.training.log_every = 1;
  config.training.batch_size = 70;
  ASSERT_EQ(batches_in_an_epoch() % 2, 1);
  config.training.accum_count = 2;
  config.training.max_steps = 0;
  config.training.max_epochs = 3;
  const auto lines = [&] {
    std::size_t lines = 0;
    std::istringstream metrics(read_file(folder.path("run") / "metrics.jsonl"));
    for (std::string line; std::getline(metrics, line);)
      lines += line.find("\"event\":\"epoch\"") != line.npos;
    return lines;
  };
  go();
  EXPECT_EQ(lines(), 3U);
  config.training.log_every = 2;
  config.training.max_epochs = 6;
  // Each of the two updates takes three epochs. The first passes the end of epoch 2, the second the
  // ends of epochs 4 and 6.
  config.training.accum_count = static_cast<std::int64_t>(3 * batches_in_an_epoch());
  reset();
  go();
  EXPECT_EQ(lines(), 2U);
}

TEST_F(Run, StopsWithoutImprovementIfEarlyStoppingIsSet) {
  config.training.learning_rate = 1e-9;  // too small to learn anything
  config.training.best_by = BestBy::bleu;
  config.training.early_stopping = 2;
  config.training.max_steps = 400;
  const auto result = go();
  EXPECT_EQ(result.end.reason, "no gain in 2 validations");
  EXPECT_EQ(result.end.state.step, 12);
}

TEST_F(Run, KeepsOnlyTheConfiguredNumberOfNewestCheckpoints) {
  config.training.save_steps = 2;
  config.training.keep_checkpoints = 3;
  go();
  std::vector<std::string> names;
  for (const auto& checkpoint : CheckpointStore(folder.path("run")).list())
    names.push_back(checkpoint.filename());
  EXPECT_THAT(names, testing::ElementsAre("step-00000008", "step-00000010", "step-00000012"));
}

TEST_F(Run, TrainsWithoutValidationData) {
  config.data.valid_source.clear();
  config.data.valid_target.clear();
  const auto result = go();
  EXPECT_TRUE(fs::exists(result.folder / weights_file));
}

TEST_F(Run, KeepsTheModelWithTheBestScore) {
  config.training.max_steps = 60;
  config.training.valid_steps = 10;
  config.training.best_by = BestBy::loss;
  const auto result = go();
  double best = 1e9;
  std::int64_t best_step = 0;
  std::istringstream lines(read_file(result.folder / "metrics.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const auto event = nlohmann::json::parse(line);
    if (event["event"] == "validation" && event["loss"] < best) {
      best = event["loss"];
      best_step = event["step"];
    }
  }
  EXPECT_EQ(result.end.state.best_step, best_step);
  EXPECT_NEAR(nlohmann::json::parse(read_file(result.folder / report_file))["validation"]["loss"]
                  .get<double>(),
              best, 1e-6);
}

TEST_F(Run, ThrowsWithoutTrainingData) {
  config.data.train_source.clear();
  config.data.train_target.clear();
  EXPECT_THAT(message_of<ConfigError>([&] { go(); }), HasSubstr("no training data"));
}

}  // namespace
}  // namespace tfm
