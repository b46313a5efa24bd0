#include "tfm/serve/language_router.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(LanguageRouter, FindsTheModelOfAPair) {
  const LanguageRouter router({{"de", "en"}, {"en", "de"}, {"de", "fr"}});
  EXPECT_EQ(router.find("de", "en"), 0U);
  EXPECT_EQ(router.find("DE", "Fr"), 2U);
  EXPECT_EQ(router.find("en", "de"), 1U);
  EXPECT_EQ(router.find("en", "fr"), std::nullopt);
  EXPECT_EQ(router.find("", ""), std::nullopt);
  EXPECT_THAT(router.sources(), ElementsAre("de", "en"));
  EXPECT_THAT(router.targets("de"), ElementsAre("en", "fr"));
  EXPECT_THAT(router.targets("fr"), IsEmpty());
  EXPECT_EQ(router.describe(), "de to en, en to de, de to fr");
}

TEST(LanguageRouter, PrefersTheVariantThatFitsBest) {
  const LanguageRouter router({{"en", "pt"}, {"en", "pt-BR"}, {"zh-Hant", "en"}});
  EXPECT_EQ(router.find("en", "pt-BR"), 1U);
  EXPECT_EQ(router.find("en", "pt"), 0U);
  EXPECT_EQ(router.find("en-US", "pt-PT"), 0U) << "a variant falls back to its language";
  EXPECT_EQ(router.find("zh", "en"), 2U) << "a language falls back to its variants";
  EXPECT_EQ(router.find("z", "en"), std::nullopt);
}

/// NLLB-200 has 40,000 pairs.
TEST(LanguageRouter, FindsAPairAmongThoseOfTwoHundredLanguages) {
  std::vector<LanguagePair> pairs;
  const auto code = [](int i) {
    return std::string{'x', static_cast<char>('a' + i / 20)} + std::to_string(i % 20);
  };
  for (int i = 0; i < 200; ++i) {
    for (int j = 0; j < 200; ++j) {
      if (i != j) pairs.push_back({code(i), code(j)});
    }
  }
  const LanguageRouter router(pairs);
  EXPECT_EQ(router.find(code(0), code(1)), 0U);
  EXPECT_EQ(router.find(code(199) + "-XX", code(198)), pairs.size() - 1);
  EXPECT_EQ(router.targets(code(7)).size(), 199U);
  EXPECT_THAT(router.describe(), testing::EndsWith("xa0 to xa10 and 39790 more"));
}

TEST(LanguageRouter, ATextInTheTargetLanguageNeedsNoModel) {
  const LanguageRouter router({{"de", "en"}, {"pt-BR", "pt-PT"}});
  EXPECT_TRUE(router.needs_no_model("de", "de-AT"));
  EXPECT_TRUE(router.needs_no_model("EN", "en"));
  EXPECT_FALSE(router.needs_no_model("de", "en"));
  EXPECT_FALSE(router.needs_no_model("fr", "fr")) << "no model knows it";
  EXPECT_FALSE(router.needs_no_model("pt-BR", "pt-PT")) << "a model translates it";
}

TEST(LanguageRouter, RefusesUnknownLanguagesAndRepeatedPairs) {
  EXPECT_THROW(LanguageRouter(std::vector<LanguagePair>()), ConfigError);
  EXPECT_THROW(LanguageRouter({LanguagePair{"de", ""}}), ConfigError);
  EXPECT_THROW(LanguageRouter({{"de", "en"}, {"DE", "en"}}), ConfigError);
}

}  // namespace
}  // namespace tfm
