#include "training/auto_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_fixture.h"
#include "tfm/config/config_file.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::HasSubstr;

TEST(AutomaticVocabSize, GrowsWithTheAmountOfText) {
  TokenizerConfig config;
  EXPECT_EQ(automatic_vocab_size(config, 400'000), 1500);
  EXPECT_EQ(automatic_vocab_size(config, 3'000'000), 10000);
  config.joint = false;
  EXPECT_EQ(automatic_vocab_size(config, 3'000'000), 4000) << "for each side";
  config.kind = TokenizerKind::word;
  EXPECT_EQ(automatic_vocab_size(config, 2'000), TokenizerConfig{}.vocab_size);
}

TEST(AutomaticVocabSize, ThrowsIfTheTextIsTooSmall) {
  EXPECT_THAT(message_of<ConfigError>([] { automatic_vocab_size(TokenizerConfig{}, 2'000); }),
              testing::AllOf(HasSubstr("tokenizer.vocab_size: 2000 bytes of text are too few"),
                             HasSubstr("set tokenizer.kind to word")));
}

/// The config of the run contains the chosen size. A resumed run and a run with init_from keep it.
TEST_F(Run, WritesItsAutomaticVocabSizeToItsConfig) {
  config.data.train_source = folder.write("large.src", made_up_text('a', 1500));
  config.data.train_target = folder.write("large.tgt", made_up_text('m', 1500));
  config.tokenizer.kind = TokenizerKind::sentencepiece;
  config.tokenizer.joint = true;
  config.tokenizer.vocab_size = TokenizerConfig::automatic_size;
  config.training.max_steps = 1;
  ASSERT_THROW(go(), DataError) << "16 words have fewer than 500 subwords";
  config.tokenizer.kind = TokenizerKind::word;
  go();
  const auto file = folder.path("run") / config_file;
  EXPECT_EQ(load_config(file).tokenizer.vocab_size, TokenizerConfig{}.vocab_size);
  config.training.max_steps = 2;
  EXPECT_EQ(go(/*resume=*/true).end.state.step, 2);
  EXPECT_EQ(load_config(file).tokenizer.vocab_size, TokenizerConfig{}.vocab_size);
  config.training.init_from = folder.path("run");
  config.training.run_folder = folder.path("tuned");
  go();
  EXPECT_EQ(load_config(folder.path("tuned") / config_file).tokenizer.vocab_size,
            TokenizerConfig{}.vocab_size);
}

}  // namespace
}  // namespace tfm
