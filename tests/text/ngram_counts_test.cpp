#include "tfm/text/ngram_counts.h"

#include <gtest/gtest.h>

#include <map>

namespace tfm {
namespace {

using Counts = std::map<std::string, std::int64_t>;

Counts counts_of(const NgramCounts& counts) {
  return {counts.counts().begin(), counts.counts().end()};
}

std::string letters_of(std::string_view text) {
  const LetterText letters(text);
  return std::string(letters.before(letters.size(), letters.size()));
}

TEST(LetterText, HasLettersInLowerCaseAndOneSpaceAroundWords) {
  EXPECT_EQ(letters_of("Die 3 ÄPFEL,  sie sind rot!"), " die äpfel sie sind rot ");
  EXPECT_EQ(letters_of("l'homme"), " l homme ");
  EXPECT_EQ(letters_of("\xff 漢字\xc3\n"), " 漢字 ") << "malformed bytes are not letters";
  EXPECT_EQ(letters_of("में"), " में ") << "signs of vowels are parts of words";
  EXPECT_EQ(letters_of(""), " ");
  EXPECT_EQ(letters_of("1, 2."), " ");
}

TEST(LetterText, FindsCharactersOfSeveralBytes) {
  const LetterText letters("äöü");
  EXPECT_EQ(letters.size(), 5U);
  EXPECT_EQ(letters.before(4, 2), "öü");
  EXPECT_EQ(letters.before(1, 1), " ");
}

TEST(NgramCounts, CountNgramsUpToFourCharacters) {
  NgramCounts counts;
  counts.add("Aab");
  EXPECT_EQ(counts_of(counts), (Counts{{"a", 2},
                                       {"b", 1},
                                       {" ", 1},
                                       {" a", 1},
                                       {"aa", 1},
                                       {"ab", 1},
                                       {"b ", 1},
                                       {" aa", 1},
                                       {"aab", 1},
                                       {"ab ", 1},
                                       {" aab", 1},
                                       {"aab ", 1}}));
}

TEST(NgramCounts, OfSeveralTextsAreSums) {
  NgramCounts first;
  first.add("ein Haus");
  NgramCounts second;
  second.add("das Haus");
  NgramCounts both;
  both.add("ein Haus");
  both.add("das Haus");
  first.add(second);
  EXPECT_EQ(counts_of(first), counts_of(both));
}

TEST(NgramCounts, KeepTheMostFrequentAndAmongEqualsTheShortest) {
  NgramCounts counts;
  for (const char* text : {"b", "b", "ac"}) counts.add(text);
  counts.keep_most_frequent(5);
  EXPECT_EQ(counts_of(counts), (Counts{{" ", 3}, {"b", 2}, {" b", 2}, {"b ", 2}, {" b ", 2}}));
  counts.keep_most_frequent(2);
  EXPECT_EQ(counts_of(counts), (Counts{{" ", 3}, {"b", 2}}));
  counts.keep_most_frequent(100);
  EXPECT_EQ(counts_of(counts).size(), 2U);
}

}  // namespace
}  // namespace tfm
