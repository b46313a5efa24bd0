// Tests which vocabularies a resumed or fine-tuned run accepts.
#include <algorithm>

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
