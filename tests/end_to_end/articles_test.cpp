// Trains and translates with the configs of the articles that tfm is based on (docs/models.md).
// Models whose training would take minutes are made smaller.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.h"
#include "terminal.h"

namespace tfm {
namespace {

using testing::HasSubstr;

TEST(Articles, Config000LearnsTwoSentencesAndStopsAtTheFullStop) {
  Workplace place;
  const auto training = place.tfm(
      "train --config configs/articles/000.yaml model.encoder_layers=2 model.decoder_layers=2 "
      "training.threads=1");
  ASSERT_EQ(training.code, 0) << training.err;
  EXPECT_THAT(training.err, HasSubstr("Epoch: 0030 loss = "));
  EXPECT_EQ(place.tfm("translate 'ich mochte ein bier'").out, "i want a beer .\n");
  const auto words = place.tfm("translate 'ich mochte ein cola' --format jsonl");
  EXPECT_THAT(words.out, HasSubstr(R"("tokens":["i","want","a","coke","."])"));
}

TEST(Articles, Config003WithPositionsByTokenLearnsTwoSentences) {
  Workplace place;
  const auto training = place.tfm(
      "train --config configs/articles/003.yaml model.encoder_layers=2 model.decoder_layers=2 "
      "training.max_epochs=40 training.threads=1");
  ASSERT_EQ(training.code, 0) << training.err;
  EXPECT_EQ(place.tfm("translate 'ich mochte ein bier'").out, "i want a beer .\n");
  EXPECT_EQ(place.tfm("translate 'ich mochte ein cola'").out, "i want a coke .\n");
}

TEST(Articles, Config001PadsPairsToAFixedLengthAndLearnsToFlipBits) {
  Workplace place;
  const auto training = place.tfm(
      "train --config configs/articles/001.yaml model.encoder_layers=2 model.decoder_layers=2 "
      "model.transformer_ff=64 training.learning_rate=0.005 "
      "training.max_steps=300 training.valid_steps=300 training.threads=1");
  ASSERT_EQ(training.code, 0) << training.err;
  EXPECT_THAT(training.err, HasSubstr("8 pairs truncated: over 30 tokens"));
  EXPECT_EQ(place.tfm("translate '0 1 1 0'").out, "1 0 0 1\n");
}

/// Trains a small version of the model of 002.yaml on the corpus data/cafe.
class ArticleConfig002 : public TrainedSuite<ArticleConfig002> {
 public:
  static constexpr const char* command =
      "train --config configs/articles/002.yaml model.hidden_size=32 model.transformer_ff=64 "
      "model.heads=2 model.encoder_layers=1 "
      "model.decoder_layers=1 tokenizer.vocab_size=400 training.max_epochs=0 training.max_steps=40 "
      "training.valid_steps=20 "
      "training.sgdr_period=10 training.save_minutes=0.0001 data.train_source=data/cafe/train.en "
      "data.train_target=data/cafe/train.de "
      "data.valid_source=data/cafe/valid.en data.valid_target=data/cafe/valid.de "
      "training.valid_sentences=5 training.keep_checkpoints=50 "
      "training.threads=1";
};

TEST_F(ArticleConfig002, SavesCheckpointsAtTheIntervalOfTheFieldSaveMinutes) {
  EXPECT_TRUE(std::filesystem::exists(place->folder.path("runs") / "002" / "model.safetensors"));
  EXPECT_TRUE(
      std::filesystem::exists(place->folder.path("runs") / "002" / "checkpoints" / "step-00000007"))
      << "step 7 is not a validation step";
}

TEST_F(ArticleConfig002, FieldInitFromStartsANewRunWithTheWeightsOfAnotherRun) {
  const auto more = place->tfm(
      "train --config runs/002/config.yaml training.run_folder=runs/more "
      "training.init_from=runs/002 training.max_steps=5 training.valid_steps=0");
  EXPECT_EQ(more.code, 0) << more.err;
  EXPECT_THAT(more.err, HasSubstr("initialised with the weights of runs/002/model.safetensors"));
}

TEST_F(ArticleConfig002, TranslatesLinesTypedOnATerminalAndKeepsAHistory) {
  Terminal terminal(*place, "translate -m runs/002 --max-length 5 --format jsonl");
  EXPECT_THAT(terminal.show_until("> "), HasSubstr("runs/002: en to de, beam of 3"));
  terminal.type("the coffee is hot\n");
  EXPECT_THAT(terminal.show_until("}\r\n> "),
              HasSubstr(R"({"line":1,"source":"the coffee is hot")"));
  terminal.type("caf\303\251\n");
  EXPECT_THAT(terminal.show_until("}\r\n> "), HasSubstr("{\"line\":2,\"source\":\"caf\303\251\""));
  terminal.type("\033[A\033[A\n");  // the up arrow, twice
  EXPECT_THAT(terminal.show_until("}\r\n> "),
              HasSubstr(R"({"line":3,"source":"the coffee is hot")"));
  terminal.type(":h\n");
  EXPECT_THAT(terminal.show_until("\n> "), HasSubstr("Ctrl-D or :q ends"));
  terminal.type("\004");
  EXPECT_THAT(terminal.show_until("never printed"), testing::EndsWith("\r\n"));
  EXPECT_EQ(terminal.end(), 0);
  EXPECT_THAT(place->folder.read(".local/state/tfm/history"), HasSubstr("coffee"))
      << "the history is kept for the next session";
}

}  // namespace
}  // namespace tfm
