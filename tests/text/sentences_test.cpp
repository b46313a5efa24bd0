#include "tfm/text/sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tfm/text/line_breaks.h"

namespace tfm {
namespace {

using Sentences = std::vector<std::string_view>;

/// Expects that split_sentences splits the text of `marked` at each "|", which is not part of the
/// text.
void expect_split(const std::string& marked) {
  std::string text;
  Sentences expected;
  for (const char c : marked) {
    if (c != '|') text += c;
  }
  std::size_t at = 0;
  for (std::size_t begin = 0; begin <= marked.size();) {
    const auto end = std::min(marked.find('|', begin), marked.size());
    std::string_view part = std::string_view(text).substr(at, end - begin);
    at += end - begin;
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    expected.push_back(part);
    begin = end + 1;
  }
  EXPECT_EQ(split_sentences(text), expected) << marked;
}

TEST(SplitSentences, SplitsAfterTerminatorsBeforeASentenceStart) {
  expect_split("It rains. | We stay! | Do you? | Yes... | No\u2026 | 25 people came.");
  expect_split("It costs 3.50 euros. | Version 2.0 is out.");
  expect_split("He said what? no one knows. visit example.com now");
  expect_split("\"Are you in?\" | \"I am.\" | (He was.) | She went.");
  expect_split("What?! | Really!!! | Yes.");
  expect_split("one line without an end");
  expect_split("It rained . | We stayed .");
}

TEST(SplitSentences, DoesNotSplitAfterEnglishAbbreviations) {
  expect_split("Mr. Smith met Dr. Jones at St. Mary's. | Mrs. Brown, Ph.D., came with J. S. Bach.");
  expect_split("See Fig. 3 and No. 512. | No. | I won't.");
  expect_split("The U.S. Army, e.g. Company B, i.e. Bob, vs. Rome. | Prof. White agreed.");
}

TEST(SplitSentences, DoesNotSplitAfterGermanAbbreviationsAndOrdinals) {
  expect_split(
      "Am 3. Mai kam z. B. Dr. M\u00fcller. | Er blieb bis zum 12. Oktober. | Das war 1984. | "
      "Danach ging er.");
  expect_split(
      "Das kostet ca. 5 Mio. Euro bzw. Dollar. | Vgl. Abs. 2 und Nr. 700. | Am Ende \u2026 | "
      "\u00dcberall war Schnee.");
  expect_split("\u201eKommst du?\u201c, fragte sie. | \u201eNein.\u201c | \u201eSchade.\u201c");
  expect_split("\u00bbJa.\u00ab | \u00bbNein.\u00ab | Karl der XIV. von Schweden z.B. Anna.");
}

TEST(SplitSentences, SplitsFrenchTextWithSpacesBeforePunctuation) {
  expect_split("Vraiment\u00a0? | Oui\u202f! | \u00ab\u00a0Non.\u00a0\u00bb | Elle rit.");
  expect_split("M. Dupont et Mme. Curie sont l\u00e0. | \u00c0 demain. | \u00c9mile dort.");
}

TEST(SplitSentences, SplitsAfterEastAsianTerminatorsWithoutSpaces) {
  expect_split(
      "\u4eca\u5929\u4e0b\u96e8\u3002|\u6211\u4eec\u5728\u5bb6\uff01|\u4f60\u5462\uff1f|"
      "\u597d\u3002");
  expect_split(
      "\u96e8\u3067\u3059\u3002 "
      "|\u5bb6\u306b\u3044\u307e\u3059\u3002|"
      "\u300c\u306f\u3044\u3002\u300d\u3068\u8a00\u3063\u305f\u3002");
  expect_split("\u201c\u597d\u3002\u201d|\u201c\u4e0d\u597d\u3002\u201d");
}

TEST(SplitSentences, SplitsAtUnicodeLineEnds) {
  EXPECT_EQ(split_sentences("one\u2028two\u0085three\rfour\vfive"),
            (Sentences{"one", "two", "three", "four", "five"}));
}

TEST(SplitSentences, ReturnsNothingForBlankText) {
  EXPECT_TRUE(split_sentences("").empty());
  EXPECT_TRUE(split_sentences(" \t\u3000\u00a0 ").empty());
  EXPECT_EQ(split_sentences(" ... "), Sentences{"..."});
}

TEST(SplitSentences, SplitsArabicHindiAndRussianText) {
  // Arabic
  expect_split("\u0647\u0644 \u062a\u0623\u062a\u064a\u061f | \u0646\u0639\u0645.");
  // Hindi
  expect_split("\u092f\u0939 \u0939\u0948\u0964 | \u0935\u0939 \u0939\u0948\u0964");
  // Russian, with the abbreviation "и т. д."
  expect_split(
      "\u0414\u0430. | \u041d\u0435\u0442! | \u041e\u043d \u0438 \u0442. \u0434. "
      "\u0418\u0432\u0430\u043d.");
}

/// The lines are long enough to make the test very slow if the running time is quadratic.
TEST(SplitSentences, KeepsAllTextOfLongLines) {
  for (const std::string unit :
       {"z. B. ", "a.b.", "(((\"", "! ", ". ", "\u3002", "x", " ", "1. ", "\u00bb ", "Dr. Dr. "}) {
    std::string text;
    while (text.size() < 200'000) text += unit;
    std::size_t letters = 0;
    for (const auto sentence : split_sentences(text))
      letters += static_cast<std::size_t>(
          std::ranges::count_if(sentence, [](char c) { return c != ' '; }));
    EXPECT_EQ(letters, static_cast<std::size_t>(
                           std::ranges::count_if(text, [](char c) { return c != ' '; })))
        << unit;
  }
}

TEST(SentenceSeparator, KeepsTheGapExceptBetweenCjkCharacters) {
  EXPECT_EQ(sentence_separator("One.", "  ", "Two."), "  ");
  EXPECT_EQ(sentence_separator("One.", "", "Two."), " ") << "from a script without spaces";
  EXPECT_EQ(sentence_separator("One.", "\u2028", "Two."), " ");
  EXPECT_EQ(sentence_separator("\u597d\u3002", " ", "\u4f60\u597d\u3002"), "");
  EXPECT_EQ(sentence_separator("\u597d\u3002", " ", "OK."), " ");
  EXPECT_EQ(sentence_separator("", " ", "Two."), "");
  EXPECT_EQ(sentence_separator("One.", " ", ""), "");
}

TEST(LineBreaks, AreReplacedInTextAndEscapedInJson) {
  EXPECT_EQ(replace_line_breaks("a\nb\rc\vd\fe\u0085f\u2028g\u2029h"), "a b c d e f g h");
  EXPECT_EQ(replace_line_breaks("a\x05"
                                "b\x1c"
                                "c\x1e"
                                "d\x7f"
                                "e\u0091f"),
            "a b c d e f");
  EXPECT_EQ(replace_line_breaks("\u00e4 \u4f60\t"), "\u00e4 \u4f60\t");
  EXPECT_EQ(replace_line_breaks("a\x1b\u2028", '?'), "a??");
  EXPECT_EQ(replace_line_breaks_and_tabs("a\tb\x1b"
                                         "c"),
            "a b c");
  EXPECT_EQ(escape_line_breaks("{\"a\":\"\u2028\u0085\u2029\u00e4\u009b\x7f\"}"),
            "{\"a\":\"\\u2028\\u0085\\u2029\u00e4\\u009b\\u007f\"}");
}

}  // namespace
}  // namespace tfm
