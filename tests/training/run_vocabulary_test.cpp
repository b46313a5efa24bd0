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

}  // namespace
}  // namespace tfm
