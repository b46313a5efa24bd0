// Tests which vocabularies a resumed or fine-tuned run accepts.
#include <algorithm>
#include <chrono>

#include "captured_log.h"
#include "run_fixture.h"
#include "tfm/config/config_file.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::HasSubstr;

/// The vocabulary of a run with modifiers gets symbols that its config does not name.
TEST_F(Run, InitialisesItsModelWithOneOfTheSameConfigWhoseVocabularyGotSymbols) {
  config.data.modifiers = {"prefix=0.1"};
  config.tokenizer.kind = TokenizerKind::sentencepiece;
  config.tokenizer.joint = true;
  config.tokenizer.vocab_size = 300;
  config.tokenizer.byte_fallback = true;
  go();
  config.training.init_from = folder.path("run").string();
  for (const char* name : {"second", "third"}) {
    config.training.run_folder = folder.path(name);
    EXPECT_NO_THROW(go());
    EXPECT_EQ(load_config(folder.path(name) / config_file).tokenizer.symbols,
              load_config(folder.path("run") / config_file).tokenizer.symbols);
    config.training.init_from = folder.path(name).string();
  }
  config.tokenizer.symbols = {"<other>"};
  config.training.run_folder = folder.path("fourth");
  EXPECT_THAT(message_of<ConfigError>([&] { go(); }), HasSubstr("tokenizer.symbols"));
}

/// Prepares the data in a cache whose vocabulary later runs take.
void use_cache(Config& config, const TemporaryFolder& folder) {
  config.data.cache = folder.path("cache");
  const auto hour_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  for (const auto& file : {config.data.train_source, config.data.train_target})
    std::filesystem::last_write_time(file, hour_ago);
}

TEST_F(Run, RecordsTheSameConfigWithAVocabularyOfTheCache) {
  use_cache(config, folder);
  const auto recorded = [this](const char* name) {
    config.training.run_folder = folder.path(name);
    go();
    return load_config(folder.path(name) / config_file).tokenizer;
  };
  config.tokenizer.kind = TokenizerKind::word;
  config.tokenizer.vocab_size = TokenizerConfig::automatic_size;
  EXPECT_EQ(recorded("words"), recorded("words again"));
  config.tokenizer.kind = TokenizerKind::sentencepiece;
  config.tokenizer.vocab_size = 300;
  config.tokenizer.byte_fallback = true;
  config.data.sets = {"all=" + config.data.train_source + "," + config.data.train_target};
  config.data.train_source.clear();
  config.data.train_target.clear();
  config.data.tags = {"all=<BT>", "valid=<BT>"};
  const auto first = recorded("tagged");
  EXPECT_FALSE(first.symbols.empty());
  EXPECT_EQ(first, recorded("tagged again"));
}

TEST_F(Run, LearnsADamagedVocabularyOfTheCacheAgain) {
  use_cache(config, folder);
  go();
  for (const auto& entry : std::filesystem::directory_iterator(folder.path("cache"))) {
    if (entry.path().filename().string().starts_with("vocabulary-"))
      write_file(entry.path() / "source.vocab", "\n");
  }
  config.training.run_folder = folder.path("second");
  const CapturedLog log;
  EXPECT_NO_THROW(go());
  EXPECT_THAT(log.text(), HasSubstr("the vocabulary is learnt again: "));
}

TEST_F(Run, LearnsAnotherVocabularyIfTheNormalizationFileChanged) {
  config.tokenizer.kind = TokenizerKind::sentencepiece;
  config.tokenizer.vocab_size = 300;
  config.tokenizer.byte_fallback = true;
  config.tokenizer.normalization = folder.path("rules.tsv");
  use_cache(config, folder);
  const auto learns = [this](const char* name) {
    config.training.run_folder = folder.path(name);
    const CapturedLog log;
    go();
    return log.text().find("learning the vocabulary") != std::string::npos;
  };
  write_file(config.tokenizer.normalization, "61\t62\n");
  EXPECT_TRUE(learns("first"));
  EXPECT_FALSE(learns("second"));
  write_file(config.tokenizer.normalization, "61\t63\n");
  EXPECT_TRUE(learns("third"));
}

TEST_F(Run, RefusesToResumeWithAReplacedVocabularyFile) {
  go();
  config.training.max_steps = 14;
  const auto file = folder.path("run") / "target.vocab";
  const auto before = read_file(file);
  auto reordered = before;
  const auto last = reordered.rfind("mmm");
  ASSERT_NE(last, std::string::npos);
  std::swap(reordered[last], reordered[reordered.find("nnn")]);
  write_file(file, reordered);
  EXPECT_THAT(message_of<ModelError>([&] { go(/*resume=*/true); }),
              testing::AllOf(HasSubstr(file.string()), HasSubstr("not the vocabulary")));
  write_file(file, before);
  EXPECT_EQ(go(/*resume=*/true).end.state.step, 14);
}

/// Checkpoints of earlier versions have no checksum of the vocabulary.
TEST_F(Run, ResumesFromACheckpointWithoutAChecksumOfTheVocabulary) {
  go();
  const CheckpointStore checkpoints(folder.path("run"));
  auto state = read_state(checkpoints.list().back() / state_file);
  EXPECT_NE(state.vocabulary, VocabularyChecksums{});
  state.vocabulary = {};
  checkpoints.save_state(state);
  config.training.max_steps = 14;
  EXPECT_EQ(go(/*resume=*/true).end.state.step, 14);
  EXPECT_NE(read_state(checkpoints.list().back() / state_file).vocabulary, VocabularyChecksums{});
}

}  // namespace
}  // namespace tfm
