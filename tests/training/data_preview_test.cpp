#include "tfm/training/data_preview.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "small_run.h"

namespace tfm {
namespace {

using testing::HasSubstr;

class DataPreviewTest : public testing::Test {
 protected:
  TemporaryFolder folder;
  Config config = small_run(folder);
};

TEST_F(DataPreviewTest, ShowsEveryPairOfAnEpochOnce) {
  const auto preview = preview_data(config, {.pairs = 1000, .epoch = 3});
  EXPECT_EQ(preview.pairs, 40);
  EXPECT_EQ(preview.epoch, 3);
  std::vector<std::string> places;
  for (const auto& pair : preview.shown) {
    places.push_back(pair.place);
    EXPECT_EQ(pair.source, pair.original_source);
    EXPECT_EQ(pair.source_tokens.back(), "</s>");
  }
  std::ranges::sort(places);
  EXPECT_EQ(std::ranges::unique(places).size(), 0U);
  EXPECT_EQ(places.size(), 40U);
  EXPECT_THAT(places, testing::Contains(config.data.train_source + ":17"));
}

TEST_F(DataPreviewTest, ShowsTheTokensOfTheModifiedText) {
  config.data.modifiers = {"merge=0.5"};
  const auto preview = preview_data(config, {.pairs = 1000, .epoch = 2});
  ASSERT_EQ(preview.shown.size(), 40U);
  std::int64_t changed = 0;
  for (const auto& pair : preview.shown) {
    changed += pair.changed_by.empty() ? 0 : 1;
    EXPECT_TRUE(pair.is_used);
    std::string joined;
    for (const auto& token : pair.target_tokens) joined += (joined.empty() ? "" : " ") + token;
    EXPECT_EQ(joined, pair.target);
    EXPECT_TRUE(pair.target.starts_with(pair.original_target));
    EXPECT_EQ(pair.target != pair.original_target, !pair.changed_by.empty());
  }
  ASSERT_EQ(preview.modifiers.size(), 1U);
  EXPECT_EQ(preview.modifiers[0].changed, changed);
  EXPECT_EQ(preview.modifiers[0].unused, 0);
  EXPECT_GT(changed, 5);
}

TEST_F(DataPreviewTest, CountsThePairsThatTheEpochDraws) {
  config.data.sets = {"large=" + config.data.train_source + "," + config.data.train_target,
                      "small=" + config.data.valid_source + "," + config.data.valid_target};
  config.data.train_source = config.data.train_target = "";
  config.data.stages = {"small 1"};
  config.data.modifiers = {"merge=1"};
  const auto staged = preview_data(config, {.pairs = 1});
  EXPECT_EQ(staged.pairs, 10);
  EXPECT_EQ(staged.modifiers[0].changed, 9) << "the last pair has no next one";
  EXPECT_EQ(staged.shown.size(), 1U);
  config.data.stages = {};
  config.data.temperature = 2;  // the epoch draws 40 * sqrt(10 / 40) pairs of the small set
  const auto tempered = preview_data(config, {.pairs = 1});
  EXPECT_EQ(tempered.pairs, 60);
  EXPECT_EQ(tempered.modifiers[0].changed, 39 + 2 * 9);
}

TEST_F(DataPreviewTest, ShowsOnlyChangedPairsOnRequest) {
  config.data.modifiers = {"merge=0.3", "copy=0.3"};
  for (const auto& pair : preview_data(config, {.pairs = 40, .only_changed = true}).shown)
    EXPECT_THAT(pair.changed_by, testing::Not(testing::IsEmpty()));
  const auto copied = preview_data(config, {.pairs = 40, .only_by = Modifier::copy});
  EXPECT_THAT(copied.shown, testing::Not(testing::IsEmpty()));
  for (const auto& pair : copied.shown) {
    EXPECT_THAT(pair.changed_by, testing::Contains(Modifier::copy));
    EXPECT_FALSE(pair.is_used) << "the word list does not have the copied word";
  }
  EXPECT_EQ(copied.modifiers[1].changed, copied.modifiers[1].unused);
}

TEST_F(DataPreviewTest, ShowsTextInShardsToo) {
  for (const bool is_modified : {false, true}) {
    if (is_modified) config.data.modifiers = {"merge=0.5", "typos=0.5"};
    config.data.cache = folder.path("cache");
    const auto from_shards = preview_data(config, {.pairs = 40, .epoch = 2});
    config.data.cache = "none";
    const auto from_memory = preview_data(config, {.pairs = 40, .epoch = 2});
    ASSERT_EQ(from_shards.shown.size(), from_memory.shown.size());
    for (std::size_t i = 0; i < from_memory.shown.size(); ++i) {
      const auto& shown = from_shards.shown[i];
      const auto& expected = from_memory.shown[i];
      EXPECT_EQ(shown.place, expected.place);
      EXPECT_EQ(shown.source, expected.source);
      EXPECT_EQ(shown.original_source, expected.original_source);
      EXPECT_EQ(shown.changed_by, expected.changed_by);
      EXPECT_EQ(shown.target_tokens, expected.target_tokens);
    }
    ASSERT_EQ(from_shards.modifiers.size(), from_memory.modifiers.size());
    for (std::size_t i = 0; i < from_memory.modifiers.size(); ++i)
      EXPECT_EQ(from_shards.modifiers[i].changed, from_memory.modifiers[i].changed);
  }
}

TEST_F(DataPreviewTest, UsesTheVocabularyOfABegunRun) {
  config.tokenizer.min_count = 20;
  config.training.max_steps = 1;
  train({.config = config, .name = "test"});
  config.tokenizer.min_count = 1;  // would give a larger vocabulary
  bool has_unknown = false;
  for (const auto& pair : preview_data(config, {.pairs = 40}).shown)
    for (const auto& token : pair.source_tokens) has_unknown |= token == "<unk>";
  EXPECT_TRUE(has_unknown);
}

DataPreview example() {
  return {.epoch = 2,
          .pairs = 12'345,
          .modifiers = {{{Modifier::typos, 0.1}, 1234, 5}},
          .shown = {{.place = "clean:17",
                     .tag = "<BT>",
                     .source = "Ein Hnud läuft.",
                     .target = "A dog\x1b runs.",
                     .original_source = "Ein Hund läuft.",
                     .original_target = "A dog\x1b runs.",
                     .changed_by = {Modifier::typos},
                     .source_tokens = {"<BT>", "▁Ein", "▁Hnud"},
                     .target_tokens = {"▁A"}}}};
}

TEST(PreviewText, IsReadableInEightyColumns) {
  auto preview = example();
  EXPECT_EQ(preview_text(preview, false),
            "epoch 2, 12,345 pairs\n"
            "\n"
            "modifier               probability       changed        %    not used\n"
            "typos                          0.1         1,234   10.00%           5\n"
            "\n"
            "clean:17 <BT>: typos\n"
            "  source   Ein Hnud läuft.\n"
            "    was    Ein Hund läuft.\n"
            "  target   A dog\\x1b runs.\n");
  preview.shown[0].is_used = false;
  for (int i = 0; i < 30; ++i) preview.shown[0].target += " and on";
  const auto text = preview_text(preview, true);
  EXPECT_THAT(text, HasSubstr("typos (not used: too long, or with unknown tokens)"));
  EXPECT_THAT(text, HasSubstr("    tokens <BT> ▁Ein ▁Hnud\n"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 85U) << line;
}

TEST(PreviewJson, HasAllFields) {
  const auto json = nlohmann::json::parse(preview_json(example()));
  EXPECT_EQ(json["epoch"], 2);
  EXPECT_EQ(json["pairs"], 12'345);
  EXPECT_EQ(json["modifiers"][0]["name"], "typos");
  EXPECT_EQ(json["modifiers"][0]["unused"], 5);
  const auto& pair = json["shown"][0];
  EXPECT_EQ(pair["place"], "clean:17");
  EXPECT_EQ(pair["changed_by"], nlohmann::json({"typos"}));
  EXPECT_EQ(pair["original_source"], "Ein Hund läuft.");
  EXPECT_EQ(pair["source_tokens"][1], "▁Ein");
  EXPECT_EQ(pair["used"], true);
}

}  // namespace
}  // namespace tfm
