#include "tfm/corpus/pair_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "property.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Ratio, DividesTheLargerByTheSmallerNumber) {
  EXPECT_DOUBLE_EQ(ratio(10, 4), 2.5);
  EXPECT_DOUBLE_EQ(ratio(4, 10), 2.5);
  EXPECT_DOUBLE_EQ(ratio(0, 10), 0);
}

TEST(IsCopy, IgnoresCaseSpacesAndPunctuation) {
  EXPECT_TRUE(is_copy("Hmmm.", "hmmm"));
  EXPECT_TRUE(is_copy("ÄRA — 2 000", "ära, 2000"));
  EXPECT_FALSE(is_copy("Hund", "Hunde"));
  EXPECT_FALSE(is_copy("Hunde", "Hund"));
  EXPECT_FALSE(is_copy("Raum 1", "Raum 2"));
}

TEST(ScriptShare, CountsOnlyLetters) {
  EXPECT_DOUBLE_EQ(script_share(count_facts("ab да 12 ..."), {Script::latin}), 0.5);
  EXPECT_DOUBLE_EQ(script_share(count_facts("漢字カナ"), {Script::han, Script::kana}), 1);
  EXPECT_DOUBLE_EQ(script_share(count_facts("2026"), {Script::greek}), 1);
}

TEST(FindUrls, ReturnsAddressesWithoutFollowingPunctuation) {
  EXPECT_THAT(find_urls("See https://a.org/x?y=1, (www.b.de) and ftp://c.net/."),
              ElementsAre("ftp://c.net", "https://a.org/x?y=1", "www.b.de"));
  EXPECT_THAT(find_urls("No address: a.org, http:, http :// www"), IsEmpty());
}

TEST(FindNumbers, NormalizesSeparators) {
  EXPECT_THAT(find_numbers("1,000.50 and 12"), ElementsAre("100050", "12"));
  EXPECT_THAT(find_numbers("1.000,50 und 12"), ElementsAre("100050", "12"));
  EXPECT_THAT(find_numbers("1\xE2\x80\xAF"
                           "000,50 et 12"),
              ElementsAre("100050", "12"));
}

TEST(FindNumbers, KeepsNeighbouringNumbersApart) {
  EXPECT_THAT(find_numbers("on 12 2026 men"), ElementsAre("12", "2026"));
  EXPECT_THAT(find_numbers("page 10."), ElementsAre("10"));
}

TEST(FindNumbers, SkipsNumbersOfOneDigit) {
  EXPECT_THAT(find_numbers("2 dogs and 3 cats"), IsEmpty());
}

TEST(FindNumbers, ReadsDigitsOfOtherScripts) {
  EXPECT_THAT(find_numbers("\xD9\xA1\xD9\xA2 \xEF\xBC\x93\xEF\xBC\x94"), ElementsAre("12", "34"));
}

TEST(Overlap, IsTheDiceCoefficient) {
  EXPECT_DOUBLE_EQ(overlap({"10", "12"}, {"12"}), 2.0 / 3);
  EXPECT_DOUBLE_EQ(overlap({}, {}), 1);
  EXPECT_DOUBLE_EQ(overlap({"10"}, {}), 0);
}

TEST(CountRepeats, FindsOneToFourWords) {
  EXPECT_EQ(count_repeats("no no no no"), 4);
  EXPECT_EQ(count_repeats("x a b a b a b y"), 3);
  EXPECT_EQ(count_repeats("a b c d a b c d"), 2);
  EXPECT_EQ(count_repeats("a b c d e a b c d e"), 1);
  EXPECT_EQ(count_repeats("a b a c"), 1);
  EXPECT_EQ(count_repeats("哈哈哈"), 3);
  EXPECT_EQ(count_repeats(""), 0);
}

TEST(CountRepeats, FindsAnyPhraseRepeatedAnyNumberOfTimes) {
  check_property([] {
    const auto times = *rc::gen::inRange(1, 9);
    const auto words = *rc::gen::inRange(1, 5);
    std::string text = "start";
    for (int i = 0; i < times; ++i) {
      for (int word = 0; word < words; ++word) text += " w" + std::to_string(word);
    }
    RC_ASSERT(count_repeats(text + " end") == times);
  });
}

TEST(HashText, DiffersForTextsThatPadTheSameBlock) {
  std::set<std::uint64_t> hashes;
  std::string text;
  for (int size = 0; size < 40; ++size) {
    hashes.insert(hash_text(text));
    hashes.insert(hash_text(text, 1));
    text += '\0';
  }
  EXPECT_EQ(hashes.size(), 80U);
}

}  // namespace
}  // namespace tfm
