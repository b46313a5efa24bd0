#include "tfm/config/data_sets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tfm/config/validate.h"

namespace tfm {
namespace {

TEST(ParseNamedSet, ReadsTwoFilesOrOne) {
  const auto two = parse_named_set("bt=a.de,b/a.en");
  ASSERT_TRUE(two);
  EXPECT_EQ(two->name, "bt");
  EXPECT_EQ(two->source, "a.de");
  EXPECT_EQ(two->target, "b/a.en");
  EXPECT_EQ(two->tsv, "");
  const auto one = parse_named_set("a-b_1=my text.tsv");
  ASSERT_TRUE(one);
  EXPECT_EQ(one->tsv, "my text.tsv");
  EXPECT_EQ(one->source, "");
}

TEST(ParseNamedSet, RejectsOtherForms) {
  for (const char* text : {"", "a", "a=", "=b", "a b=c", "a=b,", "a=,b", "a=b,c,d"})
    EXPECT_FALSE(parse_named_set(text)) << text;
}

TEST(ParseNamedTag, ReadsTheSetAndItsTag) {
  const auto named = parse_named_tag("back-translated=<BT>");
  ASSERT_TRUE(named);
  EXPECT_EQ(named->set, "back-translated");
  EXPECT_EQ(named->tag, "<BT>");
}

TEST(ParseNamedTag, RejectsOtherForms) {
  for (const char* text :
       {"", "a", "a=", "=<b>", "a=b", "a=<b", "a=<>", "a b=<c>", "a=<b>,", "a=<b c>"})
    EXPECT_FALSE(parse_named_tag(text)) << text;
}

TEST(ParseStage, ReadsSharesAndTheEnd) {
  const auto stage = parse_stage("clean 0.8,  back-translated 2e-1 until clean 3");
  ASSERT_TRUE(stage);
  ASSERT_EQ(stage->shares.size(), 2U);
  EXPECT_EQ(stage->shares[1].set, "back-translated");
  EXPECT_EQ(stage->shares[1].weight, 0.2);
  EXPECT_EQ(stage->until, "clean");
  EXPECT_EQ(stage->epochs, 3);
}

TEST(ParseStage, CountsEpochsByItsFirstSetWithoutAnEnd) {
  const auto stage = parse_stage("b 1, a 2");
  ASSERT_TRUE(stage);
  EXPECT_EQ(stage->until, "b");
  EXPECT_EQ(stage->epochs, 0);
}

TEST(ParseStage, RejectsOtherForms) {
  for (const char* text : {"", "a", "a 0", "a -1", "a 1,", "a 1 b 2", "a x", "a 1 until b 1",
                           "a 1 until a", "a 1 until a 0", "a 1e999", "a 1.2.3", "until a 1"})
    EXPECT_FALSE(parse_stage(text)) << text;
}

TEST(ParseNamedWeight, ReadsANumberOrAFile) {
  EXPECT_EQ(parse_named_weight("bt=0.5").value().number, 0.5);
  EXPECT_EQ(parse_named_weight("bt=0").value().number, 0);
  EXPECT_EQ(parse_named_weight("bt=2e-1").value().number, 0.2);
  const auto file = parse_named_weight("a=weights/a.gz").value();
  EXPECT_EQ(file.set, "a");
  EXPECT_FALSE(file.number.has_value());
  EXPECT_EQ(file.file, "weights/a.gz");
  for (const char* text : {"", "a", "a=", "=1", "a=-1", "a=1e999", "a b=1", "a=1.2.3"})
    EXPECT_FALSE(parse_named_weight(text)) << text;
}

TEST(ParseNamedAlignments, ReadsASetAndAFile) {
  const auto named = parse_named_alignments("bt=links/bt.align.gz").value();
  EXPECT_EQ(named.set, "bt");
  EXPECT_EQ(named.file, "links/bt.align.gz");
  for (const char* text : {"", "a", "a=", "=x", "a b=x"})
    EXPECT_FALSE(parse_named_alignments(text)) << text;
}

/// Returns a config of two sets that breaks no rule.
Config two_sets() {
  Config config;
  config.data.sets = {"clean=a.de,a.en", "bt=b.tsv"};
  config.data.stages = {"clean 1, bt 4 until bt 2", "clean 1"};
  config.data.tags = {"bt=<BT>", "valid=<BT>"};
  config.data.weights = {"bt=0.5", "clean=clean.weights"};
  config.data.alignments = {"clean=clean.align"};
  return config;
}

TEST(SetsInMemory, MayHaveSampledSubwords) {
  Config config = two_sets();
  config.data.cache = "none";
  config.data.bpe_dropout = 0.1;
  EXPECT_THAT(violations(config), testing::IsEmpty());
}

struct BrokenRule {
  const char* name;
  void (*change)(Config&);
  const char* keys;
};

class DataSetRules : public testing::TestWithParam<BrokenRule> {};

TEST_P(DataSetRules, ReportTheBrokenRule) {
  Config config = two_sets();
  ASSERT_TRUE(violations(config).empty());
  GetParam().change(config);
  const auto found = violations(config);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(to_text(found.front()), testing::StartsWith(std::string(GetParam().keys) + ": "));
}

INSTANTIATE_TEST_SUITE_P(
    Rules, DataSetRules,
    testing::Values(
        BrokenRule{"Form", [](Config& c) { c.data.sets.emplace_back("x"); }, "data.sets"},
        BrokenRule{"SameName", [](Config& c) { c.data.sets.emplace_back("bt=c.tsv"); },
                   "data.sets"},
        BrokenRule{"TrainFiles", [](Config& c) { c.data.train_tsv = "a.tsv"; },
                   "data.sets, data.train_source"},
        BrokenRule{"BothDirections", [](Config& c) { c.data.bidirectional = true; },
                   "data.sets, data.bidirectional"},
        BrokenRule{"StageForm", [](Config& c) { c.data.stages.front() = "clean"; }, "data.stages"},
        BrokenRule{"UnknownSet", [](Config& c) { c.data.stages.back() = "other 1"; },
                   "data.stages, data.sets"},
        BrokenRule{"NoEnd", [](Config& c) { c.data.stages.front() = "clean 1"; }, "data.stages"},
        BrokenRule{"LastEnds", [](Config& c) { c.data.stages.back() = "bt 1 until bt 3"; },
                   "data.stages"},
        BrokenRule{"WeightForm", [](Config& c) { c.data.weights.front() = "bt=-1"; },
                   "data.weights"},
        BrokenRule{"WeightOfNoSet", [](Config& c) { c.data.weights.front() = "train=1"; },
                   "data.weights, data.sets"},
        BrokenRule{"TwoWeights", [](Config& c) { c.data.weights.emplace_back("bt=1"); },
                   "data.weights"},
        BrokenRule{"AlignmentsForm", [](Config& c) { c.data.alignments.front() = "a.align"; },
                   "data.alignments"},
        BrokenRule{"AlignmentsOfNoSet",
                   [](Config& c) { c.data.alignments.front() = "train=a.align"; },
                   "data.alignments, data.sets"},
        BrokenRule{"TwoAlignments",
                   [](Config& c) { c.data.alignments.emplace_back("clean=b.align"); },
                   "data.alignments"},
        BrokenRule{"TwoMixtures", [](Config& c) { c.data.temperature = 5; },
                   "data.temperature, data.stages"},
        BrokenRule{"TagForm", [](Config& c) { c.data.tags.front() = "bt=BT"; }, "data.tags"},
        BrokenRule{"TagOfNoSet", [](Config& c) { c.data.tags.front() = "b=<BT>"; },
                   "data.tags, data.sets"},
        BrokenRule{"TagOfWords", [](Config& c) { c.tokenizer.kind = TokenizerKind::word; },
                   "data.tags, tokenizer.kind"},
        BrokenRule{"ControlSymbol", [](Config& c) { c.tokenizer.control_symbols = {"a b"}; },
                   "tokenizer.control_symbols"},
        BrokenRule{"RepeatedControlSymbol",
                   [](Config& c) { c.tokenizer.control_symbols = {"<a>", "<a>"}; },
                   "tokenizer.control_symbols"},
        BrokenRule{"ControlSymbolLikeEos",
                   [](Config& c) { c.tokenizer.control_symbols = {c.tokenizer.eos_token}; },
                   "tokenizer.control_symbols"},
        BrokenRule{"ControlSymbolLikeATag",
                   [](Config& c) {
                     c.data.tags = {"bt=<2fr>"};
                     c.tokenizer.control_symbols = {"<2fr>"};
                   },
                   "tokenizer.control_symbols"},
        BrokenRule{"SymbolOfBothKinds",
                   [](Config& c) { c.tokenizer.symbols = c.tokenizer.control_symbols = {"<a>"}; },
                   "tokenizer.control_symbols, tokenizer.symbols"},
        BrokenRule{"TwoTags", [](Config& c) { c.data.tags.emplace_back("bt=<2fr>"); }, "data.tags"},
        BrokenRule{"TagLikeBos", [](Config& c) { c.data.tags.front() = "bt=<s>"; }, "data.tags"},
        BrokenRule{"StageShareNearZero",
                   [](Config& c) { c.data.stages.front() = "clean 1, bt 1e-300 until bt 2"; },
                   "data.stages"},
        BrokenRule{"StageSharesTooLarge",
                   [](Config& c) { c.data.stages.back() = "clean 1e308, clean 1e308"; },
                   "data.stages"},
        BrokenRule{"RepeatedSymbol", [](Config& c) { c.tokenizer.symbols = {"<a>", "b", "<a>"}; },
                   "tokenizer.symbols"},
        BrokenRule{"SymbolLikeBos",
                   [](Config& c) { c.tokenizer.symbols = {c.tokenizer.bos_token}; },
                   "tokenizer.symbols"},
        BrokenRule{"SymbolLikeAByte",
                   [](Config& c) {
                     c.tokenizer.byte_fallback = true;
                     c.tokenizer.symbols = {"<0x0A>"};
                   },
                   "tokenizer.symbols, tokenizer.byte_fallback"},
        BrokenRule{"ControlSymbolLikeAByte",
                   [](Config& c) {
                     c.tokenizer.byte_fallback = true;
                     c.tokenizer.control_symbols = {"<0x0A>"};
                   },
                   "tokenizer.control_symbols, tokenizer.byte_fallback"},
        BrokenRule{"Symbol", [](Config& c) { c.tokenizer.symbols = {"a b"}; }, "tokenizer.symbols"},
        BrokenRule{"Normalization", [](Config& c) { c.tokenizer.normalization = "nfc"; },
                   "tokenizer.normalization"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Violations, WithoutSetsTheTrainingDataIsNamedTrain) {
  Config config;
  config.data.weights = {"train=0.5"};
  EXPECT_TRUE(violations(config).empty());
  config.data.weights = {"clean=0.5"};
  EXPECT_EQ(violations(config).size(), 1U);
  config.data.weights.clear();
  config.data.temperature = 5;
  EXPECT_EQ(violations(config).size(), 1U) << "there is only one text";
}

}  // namespace
}  // namespace tfm
