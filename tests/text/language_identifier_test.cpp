#include "tfm/text/language_identifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tfm {
namespace {

LetterNgramCounts counts_of(std::initializer_list<const char*> lines) {
  LetterNgramCounts counts;
  for (const char* line : lines) counts.add(line);
  return counts;
}

/// Returns the identifier of three languages, each learnt from six sentences.
LanguageIdentifier three_languages() {
  return LanguageIdentifier({{"de", counts_of({"Zwei junge Männer sind im Freien.",
                                               "Eine Frau geht mit ihrem Hund durch den Schnee.",
                                               "Die Kinder spielen auf der Straße Fußball.",
                                               "Ich möchte ein Bier und etwas zu essen, bitte.",
                                               "Der Zug nach Berlin fährt um neun Uhr ab.",
                                               "Wo ist hier der nächste Bahnhof?"})},
                             {"en", counts_of({"Two young men are outside near many bushes.",
                                               "A woman is walking with her dog through the snow.",
                                               "The children are playing football in the street.",
                                               "I would like a beer and something to eat, please.",
                                               "The train to Berlin leaves at nine o'clock.",
                                               "Where is the nearest station?"})},
                             {"fr", counts_of({"Deux jeunes hommes sont dehors près de buissons.",
                                               "Une femme marche avec son chien dans la neige.",
                                               "Les enfants jouent au football dans la rue.",
                                               "Je voudrais une bière et quelque chose à manger.",
                                               "Le train pour Berlin part à neuf heures.",
                                               "Où est la gare la plus proche ?"})}});
}

std::string best(const LanguageIdentifier& identifier, const char* text) {
  return identifier.identify(text, {"de", "en", "fr"}).front().language;
}

TEST(LanguageIdentifier, ChoosesTheLanguageWhoseLettersFollowEachOtherSo) {
  const auto identifier = three_languages();
  EXPECT_EQ(best(identifier, "Die Frau möchte mit der Straßenbahn fahren."), "de");
  EXPECT_EQ(best(identifier, "The woman would like to take the train."), "en");
  EXPECT_EQ(best(identifier, "La femme voudrait prendre le train."), "fr");
  EXPECT_EQ(best(identifier, "WO IST DIE KATZE"), "de") << "case does not count";
}

TEST(LanguageIdentifier, HasProbabilitiesOfAtMostOneInOrder) {
  const auto found = three_languages().identify("Ein Hund.", {"fr", "en", "de", "xx"});
  ASSERT_EQ(found.size(), 3U) << "xx is not known";
  EXPECT_EQ(found.front().language, "de");
  EXPECT_GE(found[0].probability, found[1].probability);
  EXPECT_GE(found[1].probability, found[2].probability);
  EXPECT_LT(found[0].probability + found[1].probability + found[2].probability, 1);
}

TEST(LanguageIdentifier, DoubtsTextOfOtherLanguages) {
  const auto identifier = three_languages();
  for (const char* text : {"Kde je tady nejbližší nádraží?", "Пив пожалуйста", "qqxyzzk wqx jjkw"})
    EXPECT_LT(identifier.identify(text, {"de", "en", "fr"}).front().probability, 0.5) << text;
}

TEST(LanguageIdentifier, FindsNothingInTextWithoutLetters) {
  for (const char* text : {"", "123 + 4", "\xff"})
    EXPECT_EQ(three_languages().identify(text, {"de"}).front().probability, 0) << text;
  EXPECT_TRUE(LanguageIdentifier().identify("Hund", {"de"}).empty());
}

TEST(LanguageIdentifier, ReadsOnlyTheBeginningOfALongText) {
  std::string text = "Die Kinder spielen im Freien. ";
  for (int i = 0; i < 10; ++i) text += text;
  text += "The children are playing.";
  const auto found = three_languages().identify(text, {"de", "en"});
  EXPECT_EQ(found.front().language, "de");
  EXPECT_NEAR(found.front().probability, 1, 1e-9);
}

}  // namespace
}  // namespace tfm
