#include "tfm/text/language_codes.h"

#include <gtest/gtest.h>

namespace tfm {
namespace {

std::string normalised(std::string_view code) {
  const auto parsed = parse_language_code(code);
  return parsed.language + (parsed.script.empty() ? "" : "_" + parsed.script);
}

TEST(ParseLanguageCode, BringsCodesOfOneLanguageToOneForm) {
  EXPECT_EQ(normalised("de"), "deu");
  EXPECT_EQ(normalised("DEU"), "deu");
  EXPECT_EQ(normalised("deu_Latn"), "deu_Latn");
  EXPECT_EQ(normalised("de-latn"), "deu_Latn");
  EXPECT_EQ(normalised("pt-BR"), "por");
}

TEST(ParseLanguageCode, TakesTheVarietyThatFloresHasForACodeOfTwoLetters) {
  EXPECT_EQ(normalised("ar"), "arb");
  EXPECT_EQ(normalised("lv"), "lvs");
  EXPECT_EQ(normalised("no"), normalised("nb"));
}

TEST(ParseLanguageCode, KnowsTheScriptOfChinese) {
  EXPECT_EQ(normalised("zh"), "zho_Hans");
  EXPECT_EQ(normalised("zh-TW"), "zho_Hant");
  EXPECT_EQ(normalised("zh-Hant"), "zho_Hant");
}

TEST(ParseLanguageCode, KeepsAnUnknownCode) {
  EXPECT_EQ(normalised("xx"), "xx");
  EXPECT_EQ(normalised(""), "");
  EXPECT_EQ(normalised("_-_"), "");
}

}  // namespace
}  // namespace tfm
