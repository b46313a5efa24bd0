#include "tfm/corpus/languages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Language, KnowsTheScriptsOfItsCode) {
  EXPECT_THAT(language_from_code("de").scripts, ElementsAre(Script::latin));
  EXPECT_THAT(language_from_code("ja").scripts, ElementsAre(Script::han, Script::kana));
  EXPECT_THAT(language_from_code("ru").scripts, ElementsAre(Script::cyrillic));
  EXPECT_THAT(language_from_code("zh-Hant").scripts, ElementsAre(Script::han));
}

TEST(Language, HasNoScriptsIfItsCodeIsUnknown) {
  EXPECT_EQ(language_from_code("xx").code, "xx");
  EXPECT_THAT(language_from_code("xx").scripts, IsEmpty());
  EXPECT_THAT(language_from_code("").scripts, IsEmpty());
}

TEST(IdentifiedCode, IsOneForLanguagesThatCld2Confuses) {
  EXPECT_EQ(identified_code("nb"), identified_code("nn"));
  EXPECT_EQ(identified_code("hr"), identified_code("sr"));
  EXPECT_EQ(identified_code("zh-Hant"), "zh");
  EXPECT_EQ(identified_code("de"), "de");
}

TEST(CanIdentify, IsTrueForTheLanguagesThatCld2Finds) {
  for (const char* code : {"de", "de-AT", "hr", "nb", "he", "iw", "zh-Hant"})
    EXPECT_EQ(can_identify(code), can_identify_languages()) << code;
  for (const char* code : {"fo", "eo", "xx", ""}) EXPECT_FALSE(can_identify(code)) << code;
}

TEST(IdentifyLanguage, RecognizesSentences) {
  if (!can_identify_languages()) GTEST_SKIP() << "built without CLD2";
  EXPECT_EQ(
      identify_language("Zwei junge Männer sind im Freien in der Nähe vieler Büsche.", "de").code,
      "de");
  EXPECT_EQ(identify_language("Two young men are outside near many bushes.", "de").code, "en");
  EXPECT_EQ(identify_language("Deux jeunes hommes sont dehors près de buissons.", "en").code, "fr");
  EXPECT_EQ(identify_language("Двое молодых людей стоят возле кустов.", "").code, "ru");
}

TEST(IdentifyLanguage, ReturnsTheSameCodeAsIdentifiedCode) {
  if (!can_identify_languages()) GTEST_SKIP() << "built without CLD2";
  EXPECT_EQ(identify_language("שני גברים צעירים נמצאים בחוץ ליד שיחים רבים", "he").code,
            identified_code("he"));
  EXPECT_EQ(identify_language("兩個年輕人在戶外靠近許多灌木叢的地方。", "zh-Hant").code,
            identified_code("zh-Hant"));
}

TEST(IdentifyLanguage, ReturnsNothingIfItIsNotCertain) {
  EXPECT_EQ(identify_language("", "de").code, "");
  EXPECT_EQ(identify_language("12 345 / 6", "de").code, "");
}

}  // namespace
}  // namespace tfm
