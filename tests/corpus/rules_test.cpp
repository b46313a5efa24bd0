#include "tfm/corpus/rules.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::size_t find_rule(const std::string& name) {
  const auto found = std::ranges::find(rules(), name, &Rule::name);
  EXPECT_NE(found, rules().end()) << name;
  return static_cast<std::size_t>(found - rules().begin());
}

/// A pair that one rule drops, and a similar pair that no rule drops.
struct Dirt {
  const char* rule;
  const char* value;  // of the rule; nullptr: its default
  CorpusPair dirty;
  CorpusPair clean;
};

CorpusPair pair(std::string source, std::string target) {
  return {std::move(source), std::move(target), 1, false};
}

std::string repeat(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

/// Returns different words: "word1 word2 ...".
std::string many_words(const std::string& word, int count) {
  std::string all;
  for (int i = 0; i < count; ++i)
    all += word + std::string(1, static_cast<char>('a' + i % 26)) +
           std::string(1, static_cast<char>('a' + i / 26)) + " ";
  return all;
}

const CorpusPair dog = {"Ein Hund rennt durch den Wald.", "A dog runs through the woods.", 1,
                        false};

std::vector<Dirt> hand_made_dirt() {
  return {
      {"malformed", nullptr, {"one field only", "", 1, true}, dog},
      {"invalid_utf8", nullptr, pair("Ein Hund \xFF rennt.", dog.target), dog},
      {"empty", nullptr, pair(" \xC2\xA0 ", dog.target), dog},
      {"control_characters", nullptr, pair(dog.source, "A dog\x01 runs."), dog},
      {"min_words", "3", pair("Ein Hund.", dog.target), dog},
      {"max_words", nullptr, pair(many_words("Wort", 151), many_words("word", 149)),
       pair(many_words("Wort", 150), many_words("word", 149))},
      {"max_characters", "30", pair(dog.source, "A dog runs through the woods and then home. "),
       dog},
      {"max_word_length", "30", pair("Ein Hund " + repeat("ab", 16) + " rennt.", dog.target),
       pair("Ein Hund " + repeat("ab", 15), dog.target)},
      {"max_word_ratio", nullptr, pair("Wellnessangebote", "A few things for you"),
       pair("Wellnessangebote", "Few things for you")},
      {"max_character_ratio", nullptr, pair("Ein Hund", "Through the dark woods runs the dog"),
       dog},
      {"min_letters", "0.5", pair("12 : 34 - 56 ab", "12 : 34 - 56 cd"), dog},
      {"min_script", nullptr, pair("Собака бежит через лес", dog.target), dog},
      {"language", nullptr, pair("The dog is running quickly through the dark woods.", dog.target),
       dog},
      {"copied", nullptr, pair("Rio de Janeiro", "RIO de Janeiro!"),
       pair("Rio de Janeiro", "From Rio de Janeiro")},
      {"markup", nullptr, pair("Ein <b>Hund</b> rennt", "A dog runs"),
       pair("Ein Hund < 3 & rennt", "A dog < 3 & runs")},
      {"urls", nullptr, pair("Siehe https://a.org/de für mehr", "See https://a.org/en for more"),
       pair("Siehe https://a.org für mehr", "See https://a.org for more")},
      {"min_numbers", "0.5", pair("Im Jahr 1998 waren es 20", "It was 21 in the year 1999"),
       pair("Im Jahr 1998 waren es 20", "It was 20 in the year 1998")},
      {"max_character_run", nullptr, pair("Neiiiiiiiiin, nein", "Noooo, no"),
       pair("Neiiiiiiiin, nein", "Noooo, no")},
      {"max_word_repeats", nullptr, pair("ja ja, ja doch", "yes yes yes yes"),
       pair("ja ja, ja doch", "yes yes yes indeed")},
  };
}

const PairLanguages german_english{language_from_code("de"), language_from_code("en")};

RuleValues only(const std::string& rule, const char* value) {
  RuleValues values(rules().size());
  const std::size_t i = find_rule(rule);
  values[i] = rules()[i].value;
  if (value != nullptr) {
    EXPECT_EQ(set_rule(values, i, value), "");
  }
  return values;
}

RuleValues with(const std::string& rule, const char* value) {
  RuleValues values = default_rule_values();
  if (value != nullptr) {
    EXPECT_EQ(set_rule(values, find_rule(rule), value), "");
  }
  return values;
}

std::string dropped_by(const RuleValues& values, const CorpusPair& pair) {
  std::vector<std::uint64_t> keys;
  const auto rule = RuleSet(values, german_english).check(pair, keys);
  return rule ? rules()[*rule].name : "";
}

TEST(Rules, EachCatchesItsDirtAndKeepsASimilarPair) {
  std::set<std::string> caught;
  for (const Dirt& dirt : hand_made_dirt()) {
    caught.insert(dirt.rule);
    if (dirt.rule == std::string("language") && !can_identify_languages()) continue;
    EXPECT_EQ(dropped_by(with(dirt.rule, dirt.value), dirt.dirty), dirt.rule);
    EXPECT_EQ(dropped_by(only(dirt.rule, dirt.value), dirt.dirty), dirt.rule);
    EXPECT_EQ(dropped_by(with(dirt.rule, dirt.value), dirt.clean), "") << dirt.rule;
  }
  for (const Rule& rule : rules()) {
    if (rule.key == nullptr && !needs_model(rule)) {
      EXPECT_TRUE(caught.contains(rule.name)) << rule.name;
    }
  }
}

TEST(Rules, CatchDirtOnEitherSide) {
  // The sides of these differ in kind, or the rule compares them.
  const std::set<std::string> one_way{"malformed", "min_script", "language"};
  for (const Dirt& dirt : hand_made_dirt()) {
    if (one_way.contains(dirt.rule)) continue;
    const CorpusPair swapped = pair(dirt.dirty.target, dirt.dirty.source);
    EXPECT_EQ(dropped_by(only(dirt.rule, dirt.value), swapped), dirt.rule);
  }
}

TEST(Rules, ThatAreOffDropNothing) {
  for (const Dirt& dirt : hand_made_dirt()) {
    if (dirt.rule == std::string("malformed")) continue;
    RuleValues values(rules().size());
    EXPECT_EQ(dropped_by(values, dirt.dirty), "") << dirt.rule;
  }
}

TEST(Rules, HaveUniqueNamesAndExactlyOneFunction) {
  std::set<std::string> names;
  for (const Rule& rule : rules()) {
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
    const int functions = (rule.drops != nullptr ? 1 : 0) + (rule.key != nullptr ? 1 : 0) +
                          (rule.at_least != nullptr ? 1 : 0) + (rule.at_most != nullptr ? 1 : 0);
    EXPECT_EQ(functions, 1) << rule.name;
    if (rule.value && rule.kind != RuleValue::on_off) {
      EXPECT_GE(*rule.value, rule.least) << rule.name;
      EXPECT_LE(*rule.value, rule.most) << rule.name;
    }
  }
}

TEST(Rules, AboutDuplicatesAreTheLast) {
  EXPECT_TRUE(std::ranges::is_partitioned(rules(), [](const Rule& r) { return !r.key; }));
}

TEST(RuleSet, AppliesRulesOfModelsToScoresInTheirOrder) {
  RuleValues values(rules().size());
  const auto on = [&](const char* rule, const char* value) {
    EXPECT_EQ(set_rule(values, find_rule(rule), value), "");
  };
  const auto dropped = [&](const PairScores& scores) -> std::string {
    std::optional<double> score;
    const auto rule = RuleSet(values, german_english).check_scores(scores, score);
    EXPECT_EQ(rule.has_value(), score.has_value());
    return rule ? fmt::format("{} {}", rules()[*rule].name, *score) : "";
  };
  EXPECT_FALSE(RuleSet(values, german_english).needs_scores());
  EXPECT_EQ(dropped({0, 0, 1}), "");
  on("min_score", "0.25");
  on("min_alignment", "0.5");
  on("max_unaligned", "0.75");
  EXPECT_TRUE(RuleSet(values, german_english).needs_scores());
  EXPECT_EQ(dropped({0.25, 0.5, 0.75}), "");
  EXPECT_EQ(dropped({0.125, 0, 1}), "min_score 0.125");
  EXPECT_EQ(dropped({0.25, 0.375, 1}), "min_alignment 0.375");
  EXPECT_EQ(dropped({0.25, 0.5, 0.875}), "max_unaligned 0.875");
  EXPECT_EQ(dropped({}), "") << "what a model cannot measure is kept";
  EXPECT_FALSE(RuleSet(values, german_english).needs_more_than({0.25, 0.5, 0.75}));
  EXPECT_TRUE(RuleSet(values, german_english).needs_more_than({.score = 0.25}));
  std::vector<std::uint64_t> keys;
  EXPECT_FALSE(RuleSet(values, german_english).check(dog, keys)) << "these rules need scores";
}

TEST(RuleSet, ReturnsKeysOfDuplicatesOnlyForPairsThatPass) {
  RuleValues values = default_rule_values();
  for (const char* rule : {"duplicate_sources", "duplicate_targets"})
    ASSERT_EQ(set_rule(values, find_rule(rule), "on"), "");
  const RuleSet set(values, german_english);
  std::vector<std::uint64_t> keys;
  EXPECT_FALSE(set.check(dog, keys));
  EXPECT_EQ(keys.size(), 3U);
  std::vector<std::uint64_t> other;
  EXPECT_FALSE(set.check(pair(dog.source, "Through the woods runs a dog."), other));
  EXPECT_NE(keys[0], other[0]);
  EXPECT_EQ(keys[1], other[1]);
  EXPECT_NE(keys[2], other[2]);
  other.clear();
  EXPECT_TRUE(set.check(pair("", dog.target), other));
  EXPECT_THAT(other, IsEmpty());
}

TEST(RuleSet, DistinguishesPairsWhoseSidesJoinToTheSameText) {
  const RuleSet set(only("duplicate_pairs", nullptr), german_english);
  std::vector<std::uint64_t> keys;
  set.check(pair("ab", "c"), keys);
  set.check(pair("a", "bc"), keys);
  EXPECT_NE(keys[0], keys[1]);
}

TEST(SetRule, TakesNumbersOnAndOff) {
  RuleValues values = default_rule_values();
  EXPECT_EQ(set_rule(values, find_rule("max_words"), "80"), "");
  EXPECT_EQ(values[find_rule("max_words")], 80);
  EXPECT_EQ(set_rule(values, find_rule("max_words"), "off"), "");
  EXPECT_EQ(values[find_rule("max_words")], std::nullopt);
  EXPECT_EQ(set_rule(values, find_rule("max_word_ratio"), "2.5"), "");
  EXPECT_EQ(values[find_rule("max_word_ratio")], 2.5);
  EXPECT_EQ(set_rule(values, find_rule("duplicate_sources"), "on"), "");
  EXPECT_EQ(values[find_rule("duplicate_sources")], 1);
}

TEST(SetRule, ReturnsTheProblemAndChangesNothing) {
  RuleValues values = default_rule_values();
  EXPECT_EQ(set_rule(values, find_rule("max_words"), "2.5"),
            "must be off or a whole number from 1 to 1000000, not '2.5'");
  EXPECT_EQ(set_rule(values, find_rule("min_script"), "2"),
            "must be off or a number from 0 to 1, not '2'");
  EXPECT_EQ(set_rule(values, find_rule("empty"), "1"), "must be on or off, not '1'");
  for (const char* wrong : {"", "on", "nan", "inf", "1e99", "3 words", " 3", "-1", "0x10"})
    for (const char* rule : {"max_words", "min_score"})
      EXPECT_NE(set_rule(values, find_rule(rule), wrong), "") << rule << " " << wrong;
  EXPECT_EQ(values, default_rule_values());
}

TEST(DropUnusableRules, SwitchesOffWhatNeedsUnknownLanguages) {
  RuleValues values = default_rule_values();
  const auto reasons = drop_unusable_rules(values, {});
  ASSERT_EQ(reasons.size(), 2U);
  EXPECT_THAT(reasons[0], HasSubstr("the rule min_script is off"));
  EXPECT_THAT(reasons[0], HasSubstr("--from and --to"));
  EXPECT_THAT(reasons[1], HasSubstr("the rule language is off"));
  EXPECT_EQ(values[find_rule("min_script")], std::nullopt);
  EXPECT_EQ(values[find_rule("language")], std::nullopt);
}

TEST(DropUnusableRules, KeepsTheRulesIfOneLanguageIsKnown) {
  RuleValues values = default_rule_values();
  const auto reasons = drop_unusable_rules(values, {language_from_code("de"), {}});
  EXPECT_EQ(reasons.size(), can_identify_languages() ? 0U : 1U) << "CLD2 has to be there";
  EXPECT_TRUE(values[find_rule("min_script")]);
}

TEST(Rules, KeepAnyBytesOrDropThemWithoutAnError) {
  RuleValues values = default_rule_values();
  ASSERT_EQ(set_rule(values, find_rule("invalid_utf8"), "off"), "");
  ASSERT_EQ(set_rule(values, find_rule("control_characters"), "off"), "");
  std::vector<std::uint64_t> keys;
  const RuleSet set(values, german_english);
  std::string bytes;
  for (int i = 0; i < 512; ++i) bytes += static_cast<char>((i * 167 + i / 256) % 256);
  for (std::size_t size = 0; size < bytes.size(); size += 7)
    set.check(pair(bytes.substr(0, size), bytes.substr(size)), keys);
}

}  // namespace
}  // namespace tfm
