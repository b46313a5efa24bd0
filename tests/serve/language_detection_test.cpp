#include "tfm/serve/language_detection.h"

#include <gtest/gtest.h>

#include "tfm/corpus/languages.h"

namespace tfm {
namespace {

const LanguageIdentifier none;

/// Returns an identifier that knows a little German and English.
LanguageIdentifier german_and_english() {
  std::map<std::string, LetterNgramCounts> counts;
  counts["de"].add("Zwei junge Männer sind im Freien. Die Frau geht mit dem Hund spazieren.");
  counts["en"].add("Two young men are outside. The woman is taking the dog for a walk.");
  return LanguageIdentifier(counts);
}

TEST(DetectLanguage, ChoosesAmongTheKnownLanguages) {
  const auto known = german_and_english();
  const auto german = detect_language(known, "Der Mann geht.", {"en", "de"});
  EXPECT_EQ(german.language, "de");
  EXPECT_GT(german.confidence, 60);
  EXPECT_LE(german.confidence, 100);
  EXPECT_EQ(detect_language(known, "The man is walking.", {"en", "de"}).language, "en");
}

TEST(DetectLanguage, DoubtsTheOnlyLanguage) {
  const auto known = german_and_english();
  const auto czech = detect_language(known, "Kdo stojí v zahradě u domu?", {"de"});
  EXPECT_EQ(czech.language, "de");
  EXPECT_LT(czech.confidence, 10);
  EXPECT_LT(detect_language(known, "Кто стоит в саду у дома?", {"de"}).confidence, 1);
}

TEST(DetectLanguage, AsksCld2IfTheTextIsInNoKnownLanguage) {
  if (!can_identify_languages()) GTEST_SKIP() << "built without CLD2";
  const std::string russian = "Два молодых человека стоят на улице рядом с кустами.";
  const auto found = detect_language(german_and_english(), russian, {"en", "de", "ru"});
  EXPECT_EQ(found.language, "ru");
  EXPECT_GT(found.confidence, 90);
}

TEST(DetectLanguage, AsksCld2IfNoLanguageIsKnown) {
  if (!can_identify_languages()) GTEST_SKIP() << "built without CLD2";
  const std::string german = "Zwei junge Männer sind im Freien in der Nähe vieler Büsche.";
  const auto found = detect_language(none, german, {"en", "de-AT"});
  EXPECT_EQ(found.language, "de-AT");
  EXPECT_GT(found.confidence, 90);
}

TEST(DetectLanguage, HasNoConfidenceInALanguageThatIsNotTheTexts) {
  const auto found =
      detect_language(none, "Two young men are outside near many bushes.", {"de", "fr"});
  EXPECT_EQ(found.language, "de");
  EXPECT_EQ(found.confidence, 0);
  EXPECT_EQ(detect_language(none, "", {"de"}).confidence, 0);
  EXPECT_EQ(detect_language(none, "\xff\xfe", {"de"}).confidence, 0);
}

}  // namespace
}  // namespace tfm
