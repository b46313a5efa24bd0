#include "tfm/translate/line_warnings.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "captured_log.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Translation unknown_line(std::vector<std::string> unknown) {
  Translation translation;
  translation.unknown = std::move(unknown);
  return translation;
}

TEST(LineWarnings, LogsTheFirstLinesAndSummarizesAllLines) {
  const CapturedLog log;
  LineWarnings warnings(TokenizerKind::word, 2);
  for (int line = 0; line < 5; ++line) warnings.add(line, unknown_line({"wein"}));
  warnings.add(5, {});
  EXPECT_EQ(log.text(),
            "line 1: the vocabulary lacks: 'wein'\nline 2: the vocabulary lacks: 'wein'\n");
  EXPECT_THAT(warnings.summarize(),
              ElementsAre("5 of 6 lines contain 1 words that the vocabulary lacks: 'wein'"));
  warnings.log_summary("translate");
  EXPECT_THAT(log.text(), HasSubstr("lacks: 'wein'\n`tfm -v translate` prints which lines"));
}

TEST(LineWarnings, ReturnsNoSummaryWhenAllLinesWereLogged) {
  const CapturedLog log;
  LineWarnings warnings(TokenizerKind::word, 1);
  Translation odd;
  odd.had_invalid_utf8 = true;
  odd.was_split = true;
  odd.parts = 3;
  warnings.add(6, odd);
  EXPECT_EQ(log.text(),
            "line 7: not valid UTF-8; invalid bytes were replaced\n"
            "line 7: too long for the model; translated in 3 parts\n");
  EXPECT_THAT(warnings.summarize(), IsEmpty());
}

TEST(LineWarnings, CountsEachKindOfWarningSeparately) {
  const CapturedLog log;
  LineWarnings warnings(TokenizerKind::word, 0);
  Translation invalid;
  invalid.had_invalid_utf8 = true;
  Translation was_split;
  was_split.was_split = true;
  warnings.add(0, invalid);
  warnings.add(1, was_split);
  warnings.add(2, was_split);
  EXPECT_THAT(warnings.summarize(),
              ElementsAre("1 of 3 lines are not valid UTF-8; invalid bytes were replaced",
                          "2 of 3 lines are too long for the model and were translated in parts"));
}

TEST(LineWarnings, NamesEachCharacterOfALineOnceAndTheRemedyOnce) {
  const CapturedLog log;
  LineWarnings warnings(TokenizerKind::sentencepiece, 5);
  warnings.add(0, unknown_line({"78", "7", "7"}));
  warnings.add(1, unknown_line({"9"}));
  EXPECT_EQ(log.text(),
            "line 1: the vocabulary lacks: '7', '8'; a model trained with "
            "tokenizer.byte_fallback can translate any character\n"
            "line 2: the vocabulary lacks: '9'\n");
}

TEST(LineWarnings, ListsUnknownCharactersOfSubwordModelsByFrequency) {
  const CapturedLog log;
  LineWarnings warnings(TokenizerKind::sentencepiece, 0);
  warnings.add(0, unknown_line({"\u4f60\u597d"}));
  warnings.add(1, unknown_line({"\u597d", "7"}));
  warnings.add(2, unknown_line({"\u597d"}));
  EXPECT_THAT(warnings.summarize(),
              ElementsAre("3 of 3 lines contain 3 characters that the vocabulary lacks: "
                          "'\u597d', '7', '\u4f60'; a model trained with "
                          "tokenizer.byte_fallback can translate any character"));
}

TEST(LineWarnings, ListsAtMostEightWordsPerLineAndTenInTheSummary) {
  const CapturedLog log;
  LineWarnings warnings(TokenizerKind::word, 1);
  std::vector<std::string> words;
  for (int i = 10; i < 23; ++i) words.push_back(fmt::format("w{}", i));
  warnings.add(0, unknown_line(words));
  warnings.add(1, unknown_line(words));
  EXPECT_THAT(log.text(),
              HasSubstr("'w10', 'w11', 'w12', 'w13', 'w14', 'w15', 'w16', 'w17' and 5 more\n"));
  EXPECT_THAT(warnings.summarize(), ElementsAre(HasSubstr("'w18', 'w19' and 3 more")));
}

TEST(LineWarnings, KeepsMessagesShortWhenWordsAreLongOrMany) {
  const CapturedLog log;
  LineWarnings warnings(TokenizerKind::word, 0);
  for (int i = 0; i < 12'000; ++i)
    warnings.add(i, unknown_line({std::to_string(i) + std::string(1000, 'x')}));
  const auto messages = warnings.summarize();
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_THAT(messages[0], HasSubstr("at least 10000 words"));
  EXPECT_LT(messages[0].size(), 1000U);
}

TEST(LineWarnings, ReplacesControlCharactersInMessages) {
  const CapturedLog log;
  LineWarnings warnings(TokenizerKind::word, 1);
  warnings.add(0, unknown_line({"a\x1b[2Jb\u009b\u2028"}));
  EXPECT_EQ(log.text(), "line 1: the vocabulary lacks: 'a?[2Jb?\?'\n");
}

}  // namespace
}  // namespace tfm
