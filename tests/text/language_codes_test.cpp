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

TEST(ShortLanguageCodes, AreThoseThatClientsWrite) {
  EXPECT_EQ(short_language_codes({"deu_Latn", "ace_Latn", "arb_Arab", "heb_Hebr", "zho_Hans"}),
            (std::vector<std::string>{"de", "ace", "ar", "he", "zh"}));
  EXPECT_EQ(short_language_codes({"de", "zh", "hsb"}),
            (std::vector<std::string>{"de", "zh", "hsb"}));
}

TEST(ShortLanguageCodes, NameTheScriptOfLanguagesWithSeveral) {
  EXPECT_EQ(short_language_codes({"zho_Hans", "deu_Latn", "zho_Hant", "ace_Arab", "ace_Latn"}),
            (std::vector<std::string>{"zh-Hans", "de", "zh-Hant", "ace-Arab", "ace-Latn"}));
}

}  // namespace
}  // namespace tfm
