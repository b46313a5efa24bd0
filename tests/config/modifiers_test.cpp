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

TEST(SourceSymbols, AreThoseOfTheTemplateOfTerms) {
  Config config;
  config.data.modifiers = {"inline_noise=0.1"};
  EXPECT_THAT(source_symbols(config), testing::IsEmpty()) << "it writes no symbols";
  config.data.modifiers = {"terms=0.1"};
  EXPECT_THAT(source_symbols(config), testing::ElementsAre("__source__", "__target__", "__done__"));
  config.data.modifiers = {"random_terms=0.1"};
  config.data.term_template = "<t> {src} <t> {trg} </t>";
  EXPECT_THAT(source_symbols(config), testing::ElementsAre("<t>", "</t>"));
}

TEST(ParseTermTemplate, ReadsSymbolsAndPlaces) {
  EXPECT_THAT(parse_term_template(" <a>  {src} {trg} <b> ").value(),
              testing::ElementsAre("<a>", "{src}", "{trg}", "<b>"));
  EXPECT_THAT(parse_term_template("<a> {trg}").value(), testing::ElementsAre("<a>", "{trg}"));
  for (const char* text :
       {"", "{src} {trg}", "<a> {src}", "<a> {trg} {trg}", "{src} {src} <a> {trg}",
        "<tag{n}> {trg} <a>", "<a>{trg}", "<a> {token} {trg}"})
    EXPECT_FALSE(parse_term_template(text)) << text;
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

Config aligned(std::vector<std::string> modifiers) {
  Config config;
  config.data.alignments = {"train=train.align"};
  config.data.modifiers = std::move(modifiers);
  config.tokenizer.byte_fallback = true;
  return config;
}

TEST(ModifierRules, TermsNeedAlignmentsSubwordsAndATemplate) {
  Config config = aligned({"typos=0.1", "terms=0.1", "random_terms=0.1", "inline_noise=0.1"});
  EXPECT_THAT(violations(config), testing::IsEmpty());
  config.data.alignments.clear();
  EXPECT_THAT(only_violation(config),
              testing::StartsWith("data.modifiers, data.alignments: the modifier terms needs"));
  config = aligned({"terms=0.1"});
  config.tokenizer.kind = TokenizerKind::word;
  EXPECT_THAT(only_violation(config), testing::HasSubstr("the modifier terms needs a Sentence"));
  config = aligned({"terms=0.1"});
  config.data.term_template = "<tag{n}> {token} </tag{n}>";
  EXPECT_THAT(only_violation(config),
              testing::AllOf(testing::StartsWith("data.term_template: '<tag{n}>"),
                             testing::HasSubstr("__source__ {src} __target__ {trg} __done__")));
  config = aligned({"inline_noise=0.1"});
  config.tokenizer.byte_fallback = false;
  EXPECT_THAT(only_violation(config), testing::HasSubstr("the characters of inline_noise"));
}

TEST(ModifierRules, TyposComeBeforeTerms) {
  EXPECT_THAT(only_violation(aligned({"terms=0.1", "upper_case=0.1", "typos=0.1"})),
              testing::HasSubstr("put typos before terms"));
}

}  // namespace
}  // namespace tfm
