#include "tfm/corpus/text_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "property.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::int64_t letters(const TextFacts& facts, Script script) {
  return facts.scripts[static_cast<std::size_t>(script)];
}

TEST(TextFacts, CountWordsAndCharactersWithoutWhiteSpace) {
  const TextFacts facts = count_facts("  Grüße,  Welt \xC2\xA0 !");
  EXPECT_EQ(facts.words, 3);
  EXPECT_EQ(facts.characters, 11);
  EXPECT_EQ(facts.letters, 9);
  EXPECT_EQ(facts.longest_word, 6);
  EXPECT_TRUE(facts.valid_utf8);
}

TEST(TextFacts, CountEachHanAndKanaCharacterAsAWord) {
  EXPECT_EQ(count_facts("我喜欢GPU").words, 4);
  EXPECT_EQ(count_facts("これはペン").words, 5);
}

TEST(TextFacts, CountFourThaiCharactersAsAWord) {
  const TextFacts facts = count_facts("สวัสดีครับ");
  EXPECT_EQ(facts.words, 3);
  EXPECT_EQ(facts.longest_word, 0);
}

TEST(TextFacts, CountLettersOfEachScript) {
  const TextFacts facts = count_facts("Die Stadt Москва, 2026!");
  EXPECT_EQ(letters(facts, Script::latin), 8);
  EXPECT_EQ(letters(facts, Script::cyrillic), 6);
  EXPECT_EQ(facts.letters, 14);
}

TEST(TextFacts, FindTheLongestRunOfEqualCharactersExceptDigits) {
  EXPECT_EQ(count_facts("Nooooo!! 1000000").longest_run, 5);
  EXPECT_EQ(count_facts("- - - -").longest_run, 1);
}

TEST(TextFacts, CountControlAndPrivateCharacters) {
  EXPECT_EQ(count_facts("a\tb\x01").controls, 2);
  EXPECT_EQ(count_facts("\xEF\xBF\xBD \xEE\x80\x80 \xE2\x80\xA8").controls, 3);
  EXPECT_EQ(count_facts("naïve — “quoted”, 10 °C").controls, 0);
}

TEST(TextFacts, DistinguishInvalidBytesFromAReplacementCharacter) {
  EXPECT_TRUE(count_facts("a \xEF\xBF\xBD").valid_utf8);
  EXPECT_FALSE(count_facts("a \xFF").valid_utf8);
  EXPECT_FALSE(count_facts("a \xE2\x82").valid_utf8);
  EXPECT_FALSE(count_facts("\xED\xA0\x80").valid_utf8);  // a surrogate
}

TEST(FindWords, SplitsAtWhiteSpaceAndAroundHan) {
  EXPECT_THAT(find_words(" ein  Hund\t我GPU喜 "), ElementsAre("ein", "Hund", "我", "GPU", "喜"));
  EXPECT_THAT(find_words(" \xC2\xA0 "), IsEmpty());
}

TEST(FindWords, AgreesWithTheCountOfWordsOnAnyBytes) {
  check_property([] {
    const auto text = *text_from({"a", "ß", " ", "\xC2\xA0", "我", "カ", "\xFF", "\xE2\x82", "7"});
    RC_ASSERT(std::ssize(find_words(text)) == count_facts(text).words);
  });
}

}  // namespace
}  // namespace tfm
