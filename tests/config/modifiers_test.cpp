#include "tfm/config/modifiers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tfm/config/validate.h"

namespace tfm {
namespace {

TEST(ParseModifier, ReadsTheNameAndTheProbability) {
  const auto setting = parse_modifier("remove_punctuation = 5e-2");
  ASSERT_TRUE(setting);
  EXPECT_EQ(setting->modifier, Modifier::remove_punctuation);
  EXPECT_EQ(setting->probability, 0.05);
  EXPECT_EQ(parse_modifier("typos=0")->probability, 0);
  EXPECT_EQ(parse_modifier("typos=1")->probability, 1);
}

TEST(ParseModifier, RejectsOtherForms) {
  for (const char* text : {"", "typos", "typos=", "=0.1", "typo=0.1", "typos=1.5", "typos=-0.1",
                           "typos=0.1.2", "typos=nan", "typos 0.1", "typos=0.1 x", "typos=1e999"})
    EXPECT_FALSE(parse_modifier(text)) << text;
}

TEST(KnownModifiers, AreInTheOrderOfTheEnum) {
  for (std::size_t i = 0; i < known_modifiers.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(known_modifiers.at(i).modifier), i);
    const auto setting = parse_modifier(std::string(known_modifiers.at(i).name) + "=0.5");
    ASSERT_TRUE(setting) << known_modifiers.at(i).name;
    EXPECT_EQ(&info_of(setting->modifier), &known_modifiers.at(i));
  }
}

TEST(SourceSymbols, AreThoseOfTheVocabularyTheTagsAndThePrefix) {
  Config config;
  config.tokenizer.symbols = {"<num>", "<BT>"};
  config.data.tags = {"a=<BT>", "b=<2fr>"};
  EXPECT_THAT(source_symbols(config), testing::ElementsAre("<num>", "<BT>", "<2fr>"));
  config.data.modifiers = {"prefix=0"};
  EXPECT_THAT(source_symbols(config), testing::SizeIs(3)) << "prefix is off";
  config.data.modifiers = {"prefix=0.1"};
  EXPECT_THAT(source_symbols(config),
              testing::ElementsAre("<num>", "<BT>", "<2fr>", "__start__", "__end__"));
}

std::string only_violation(const Config& config) {
  const auto found = violations(config);
  EXPECT_EQ(found.size(), 1U);
  return found.empty() ? "" : to_text(found.front());
}

TEST(ModifierRules, NameWhatIsWrong) {
  Config config;
  config.data.modifiers = {"typos=0.1", "upper_case=1"};
  EXPECT_THAT(violations(config), testing::IsEmpty());
  config.data.modifiers = {"typo=0.1"};
  EXPECT_THAT(only_violation(config),
              testing::AllOf(testing::StartsWith("data.modifiers: 'typo=0.1' names no modifier"),
                             testing::HasSubstr("upper_case, title_case, typos")));
  config.data.modifiers = {"typos=2"};
  EXPECT_THAT(only_violation(config), testing::HasSubstr("'typos=2' is not typos=PROBABILITY"));
  config.data.modifiers = {"typos=0.1", "typos=0.2"};
  EXPECT_THAT(only_violation(config), testing::HasSubstr("'typos' is named twice"));
}

TEST(ModifierRules, NoiseNeedsAVocabularyThatSpellsAllCharacters) {
  Config config;
  config.data.modifiers = {"noise=0.1"};
  EXPECT_THAT(only_violation(config), testing::HasSubstr("tokenizer.byte_fallback"));
  config.tokenizer.byte_fallback = true;
  EXPECT_THAT(violations(config), testing::IsEmpty());
}

TEST(ModifierRules, PrefixNeedsSubwords) {
  Config config;
  config.data.modifiers = {"prefix=0.1"};
  EXPECT_THAT(violations(config), testing::IsEmpty());
  config.tokenizer.kind = TokenizerKind::word;
  EXPECT_THAT(only_violation(config),
              testing::StartsWith("data.modifiers, tokenizer.kind: the modifier prefix"));
}

}  // namespace
}  // namespace tfm
