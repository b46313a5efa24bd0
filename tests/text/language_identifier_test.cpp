#include "tfm/text/language_identifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "property.h"

namespace tfm {
namespace {

NgramCounts counts_of(std::initializer_list<const char*> lines) {
  NgramCounts counts;
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

/// The expected numbers are Witten-Bell smoothing by hand. After "Aab", the characters are a twice,
/// b and the space: 4 of 3 kinds.
TEST(LanguageModel, SmoothsRatiosOfCounts) {
  const LanguageModel model(counts_of({"Aab"}));
  const double unseen = 1.0 / 65536;
  const LetterText text("ac");  // a space, a, c and a space
  const double a = (2 + 3 * unseen) / (4 + 3);
  const double c = 3 * unseen / (4 + 3);
  EXPECT_DOUBLE_EQ(model.probability(text, 2, 1), a);
  EXPECT_DOUBLE_EQ(model.probability(text, 3, 1), c);
  EXPECT_DOUBLE_EQ(model.probability(text, 2, 4), (1 + 1 * a) / (1 + 1)) << "a after a space";
  EXPECT_DOUBLE_EQ(model.probability(text, 3, 2), (0 + 2 * c) / (2 + 2)) << "c after a";
}

TEST(LanguageModel, GivesNgramsThatWereNotKeptToUnseenOnes) {
  auto counts = counts_of({"ab", "ab", "ab", "ac"});
  counts.keep_most_frequent(6);  // of those that end with c, none
  ASSERT_FALSE(counts.counts().contains("ac"));
  const LanguageModel model(counts);
  const LetterText text("ac");
  const double c = model.probability(text, 3, 1);
  EXPECT_DOUBLE_EQ(model.probability(text, 3, 2), 2 * c / (3 + 2))
      << "of four a, three have a kept successor, of one kind";
}

TEST(LanguageModelProperty, ProbabilitiesOfAllCharactersSumUpToOne) {
  const LanguageModel model(counts_of({"eine kleine Katze", "der kleine Hund"}));
  check_property([&model] {
    const auto before = *text_from({"e", "in", "kl", "Katze", " ", "qu"}) + "e";
    const auto probability_of = [&](std::string_view next) {
      const LetterText text(before + std::string(next));
      return model.probability(text, LetterText(before).size(), NgramCounts::longest);
    };
    double sum = 0;
    for (const char* next : {"a", "d", "e", "h", "i", "k", "l", "n", "r", "t", "u", "z", " "})
      sum += probability_of(next);
    const double others = (65536 - 13) * probability_of("x");
    RC_ASSERT(std::abs(sum + others - 1) < 1e-9);
  });
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
