#include "tfm/serve/language_detection.h"

#include <gtest/gtest.h>

#include "tfm/corpus/languages.h"

namespace tfm {
namespace {

TEST(DetectLanguage, ChoosesAmongTheSources) {
  if (!can_identify_languages()) GTEST_SKIP() << "built without CLD2";
  const std::string german = "Zwei junge Männer sind im Freien in der Nähe vieler Büsche.";
  const auto found = detect_language(german, {"en", "de-AT"});
  EXPECT_EQ(found.language, "de-AT");
  EXPECT_GT(found.confidence, 90);
}

TEST(DetectLanguage, HasNoConfidenceInALanguageThatIsNotTheTexts) {
  const auto found = detect_language("Two young men are outside near many bushes.", {"de", "fr"});
  EXPECT_EQ(found.language, "de");
  EXPECT_EQ(found.confidence, 0);
  EXPECT_EQ(detect_language("", {"de"}).confidence, 0);
  EXPECT_EQ(detect_language("\xff\xfe", {"de"}).confidence, 0);
}

}  // namespace
}  // namespace tfm
