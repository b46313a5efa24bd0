#include "tfm/text/letter_ngrams.h"

#include <gtest/gtest.h>

#include <map>

namespace tfm {
namespace {

using Counts = std::map<std::string, std::int64_t>;

Counts counts_of(const LetterNgramCounts& counts) {
  Counts texts;
  for (const auto& [ngram, count] : counts.counts()) texts[ngram_text(ngram)] = count;
  return texts;
}

std::string letters_of(std::string_view text) {
  const LetterText letters(text);
  std::string all;
  for (std::size_t end = 1; end <= letters.size(); ++end) all += ngram_text(letters.before(end, 1));
  return all;
}

TEST(LetterNgram, HasUpToFourLettersInLowerCase) {
  for (const char* text : {"a", " ä ", "漢字", "में ", "abcd"}) {
    const auto ngram = ngram_from(text);
    ASSERT_TRUE(ngram) << text;
    EXPECT_EQ(ngram_text(*ngram), text);
  }
  for (const char* text : {"", "abcde", "A", "1", "a-b", "\t", "\uFFFF"})
    EXPECT_FALSE(ngram_from(text)) << text;
}

TEST(LetterNgram, HasAHistoryAndLastLetters) {
  const auto ngram = ngram_from("äbc").value();
  EXPECT_EQ(ngram_length(ngram), 3U);
  EXPECT_EQ(ngram_text(ngram_history(ngram)), "äb");
  EXPECT_EQ(ngram_text(last_letters(ngram, 2)), "bc");
  EXPECT_EQ(last_letters(ngram, 0), 0U);
  EXPECT_EQ(ngram_length(0), 0U);
}

TEST(LetterNgram, HasOneLetterForAllOutsideTheBasicPlane) {
  EXPECT_EQ(letters_of("𠀀𐐨 😀"), " \uFFFD\uFFFD ") << "an emoji is a symbol";
  EXPECT_EQ(ngram_from("𠀀"), ngram_from("\uFFFD"));
}

TEST(LetterText, HasLettersInLowerCaseAndOneSpaceAroundWords) {
  EXPECT_EQ(letters_of("Die 3 ÄPFEL,  sie sind rot!"), " die äpfel sie sind rot ");
  EXPECT_EQ(letters_of("l'homme"), " l homme ");
  EXPECT_EQ(letters_of("\xff 漢字\xc3\n"), " 漢字 ") << "malformed bytes are not letters";
  EXPECT_EQ(letters_of("में"), " में ") << "signs of vowels are parts of words";
  EXPECT_EQ(letters_of("ΟΔΟΣ Σ ΣΑΣ"), " οδος σ σας ") << "sigma at the end of a word";
  EXPECT_EQ(letters_of(""), " ");
  EXPECT_EQ(letters_of("1, 2."), " ");
}

TEST(LetterText, FindsCharactersOfSeveralBytes) {
  const LetterText letters("äöü");
  EXPECT_EQ(letters.size(), 5U);
  EXPECT_EQ(ngram_text(letters.before(4, 2)), "öü");
  EXPECT_EQ(ngram_text(letters.before(1, 1)), " ");
}

TEST(LetterNgramCounts, CountNgramsUpToFourCharacters) {
  LetterNgramCounts counts;
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

TEST(LetterNgramCounts, OfSeveralTextsAreSums) {
  LetterNgramCounts first;
  first.add("ein Haus");
  LetterNgramCounts second;
  second.add("das Haus");
  LetterNgramCounts both;
  both.add("ein Haus");
  both.add("das Haus");
  first.add(second);
  EXPECT_EQ(counts_of(first), counts_of(both));
}

TEST(LetterNgramCounts, KeepTheMostFrequentAndAmongEqualsTheShortest) {
  LetterNgramCounts counts;
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
