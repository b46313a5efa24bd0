// Commands on a model that trained on two sets, whose source sentences begin with tags.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "program.h"

namespace tfm {
namespace {

using testing::HasSubstr;

struct TaggedModel : TrainedSuite<TaggedModel> {
  inline static const std::string command =
      "train -q --config configs/demo.yaml model.hidden_size=16 model.heads=2 "
      "model.transformer_ff=32 model.encoder_layers=1 model.decoder_layers=1 "
      "tokenizer.vocab_size=700 data.max_length=64 training.run_folder=runs/small "
      "training.batch_size=1024 training.valid_sentences=4 training.max_minutes=0 "
      "training.max_epochs=0 training.warmup_steps=10 training.max_steps=20 "
      "training.average_checkpoints=0 "
      "data.cache=cache data.train_source= data.train_target= "
      "'data.sets=de-en=data/cafe/train.de,data/cafe/train.en;"
      "back=data/cafe/train.en,data/cafe/train.de' "
      "'data.tags=de-en=<2en>;back=<2de>;valid=<2en>'";
};

TEST_F(TaggedModel, LearnsAShortlistFromAllSets) {
  const auto made = place->tfm("shortlist -m runs/small");
  ASSERT_EQ(made.code, 0) << made.err;
  const auto pairs = [](const std::string& log) {
    std::smatch count;
    return std::regex_search(log, count, std::regex("learnt from ([0-9]+) pairs"))
               ? std::stoi(count[1])
               : 0;
  };
  const auto of_one_set = place->tfm(
      "shortlist -m runs/small --source data/cafe/train.de --target data/cafe/train.en "
      "-o other");
  EXPECT_GT(pairs(of_one_set.err), 0) << of_one_set.err;
  EXPECT_GT(pairs(made.err), 1.5 * pairs(of_one_set.err)) << made.err;
}

TEST_F(TaggedModel, ExportsSayWhichTagChoosesWhichLanguage) {
  const auto made = place->tfm("export -m runs/small -o exported");
  ASSERT_EQ(made.code, 0) << made.err;
  const auto card = place->folder.read("exported/README.md");
  EXPECT_THAT(card, HasSubstr("| Languages | de to en, en to de |"));
  EXPECT_THAT(card, HasSubstr("| de to en | \\<2en> |\n| en to de | \\<2de> |"));
  EXPECT_THAT(card, HasSubstr("tag = [\"<2en>\"]"));
}

}  // namespace
}  // namespace tfm
