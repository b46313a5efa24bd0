// Tests the modifiers that need word alignments as a user sees them: previewed, trained on,
// resumed, and with files that do not fit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "program.h"

namespace tfm {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A folder with the alignments of the phrases of data/cafe, and a small run on them.
class TermsOfARun : public testing::Test {
 protected:
  void SetUp() override { place.folder.write("a.align", alignments); }

  std::string arguments(const std::string& run, const std::string& more) const {
    return "--config configs/demo.yaml model.hidden_size=32 model.transformer_ff=64 "
           "model.encoder_layers=1 model.decoder_layers=1 training.batch_size=4096 "
           "training.threads=1 training.schedule=constant training.warmup_steps=2 "
           "training.log_every=1 training.valid_steps=100 "
           "'data.modifiers=merge=0.1; terms=0.3' data.alignments=train=a.align "
           "tokenizer.vocab_size=600 training.run_folder=" +
           run + " " + more;
  }
  Outcome train(const std::string& run, const std::string& more) const {
    return place.tfm("train " + arguments(run, more));
  }
  /// Returns the loss of each step, as metrics.jsonl has it.
  std::vector<std::string> losses(const std::string& run) const {
    std::vector<std::string> found;
    std::istringstream lines(place.folder.read(run + "/metrics.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      const auto event = nlohmann::json::parse(line);
      if (event["event"] == "step")
        found.push_back(event["step"].dump() + ": " + event["loss"].dump());
    }
    return found;
  }

  Workplace place;
  std::string alignments = place.folder.read("data/cafe/train.align");
};

TEST_F(TermsOfARun, AreResumedWithTheSameLossesUnlessALinkChanges) {
  ASSERT_EQ(train("whole", "training.max_steps=12").code, 0);
  ASSERT_EQ(train("halves", "training.max_steps=6").code, 0);
  const auto resumed = train("halves", "training.max_steps=12 --resume");
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_THAT(resumed.err, Not(HasSubstr("its batches changed")));
  EXPECT_THAT(losses("whole"), testing::SizeIs(12));
  EXPECT_EQ(losses("halves"), losses("whole"));
  alignments.replace(0, 3, "0-1");
  place.folder.write("a.align", alignments);
  const auto changed = train("halves", "training.max_steps=13 --resume");
  ASSERT_EQ(changed.code, 0) << changed.err;
  EXPECT_THAT(changed.err, HasSubstr("the training data or its batches changed"));
}

TEST_F(TermsOfARun, ArePreviewed) {
  const auto preview = place.tfm("data preview --format json --lines 6000 --modifier terms " +
                                 arguments("none", "").substr(9));
  ASSERT_EQ(preview.code, 0) << preview.err;
  const auto json = nlohmann::json::parse(preview.out);
  // 30% of the pairs that have terms, and these are most of them.
  EXPECT_GT(json["modifiers"][1]["changed"].get<int>(), 1200);
  for (const auto& pair : json["shown"]) {
    const auto source = pair["source"].get<std::string>();
    EXPECT_THAT(source, testing::ContainsRegex("__source__ .+ __target__ .+ __done__")) << source;
    const auto& tokens = pair["source_tokens"];
    EXPECT_EQ(std::ranges::count(tokens, "__target__") > 0, pair["used"].get<bool>()) << source;
  }
}

/// A dataset of OpusTrainer has all three in one file.
TEST_F(TermsOfARun, AreTheSameIfTheAlignmentsAreFieldsOfTheText) {
  std::string lines;
  std::istringstream source(place.folder.read("data/cafe/train.de"));
  std::istringstream target(place.folder.read("data/cafe/train.en"));
  std::istringstream links(alignments);
  for (std::string line; std::getline(source, line);) {
    lines += line;
    for (auto* next : {&target, &links}) lines += std::getline(*next, line) ? '\t' + line : "";
    lines += '\n';
  }
  place.folder.write("all.tsv", lines);
  const auto preview = [&](const std::string& text) {
    const auto done =
        place.tfm("data preview --format json --lines 100 " + arguments("none", text).substr(9));
    EXPECT_EQ(done.code, 0) << done.err;
    return nlohmann::json::parse(done.out);
  };
  const auto apart = preview("");
  const auto together = preview(
      "data.train_source= data.train_target= data.train_tsv=all.tsv data.alignments=train=all.tsv");
  EXPECT_EQ(together["modifiers"], apart["modifiers"]);
  ASSERT_EQ(together["shown"].size(), apart["shown"].size());
  for (std::size_t i = 0; i < apart["shown"].size(); ++i)
    EXPECT_EQ(together["shown"][i]["source"], apart["shown"][i]["source"]);
}

TEST_F(TermsOfARun, AreRefusedIfTheFileDoesNotFit) {
  place.folder.write("a.align", "0-0 17-1\n" + alignments.substr(alignments.find('\n') + 1));
  const auto beyond = train("run", "training.max_steps=1");
  EXPECT_EQ(beyond.code, 1);
  EXPECT_THAT(beyond.err, AllOf(HasSubstr("a.align:1: the link 17-1 is beyond the words"),
                                HasSubstr("data/cafe/train.de:1 has ")));
  place.folder.write("a.align", alignments + "0-0\n");
  EXPECT_THAT(train("run", "training.max_steps=1").err,
              HasSubstr("the file has 5009 alignments, but its text has 5008 lines"));
  const auto none = train("run", "training.max_steps=1 data.alignments=");
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("the modifier terms needs word alignments"));
}

}  // namespace
}  // namespace tfm
