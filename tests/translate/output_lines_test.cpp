#include "tfm/translate/output_lines.h"

#include <gtest/gtest.h>

namespace tfm {
namespace {

Candidate sample() {
  Candidate candidate;
  candidate.text = "a man";
  candidate.log_prob = -3.25;
  candidate.score = -0.5;
  candidate.tokens = {"a", "man"};
  candidate.alignment = {{0, 0}, {2, 1}};
  return candidate;
}

TEST(TextLine, EndsWithTheWordAlignmentIfRequested) {
  EXPECT_EQ(text_line(sample(), false), "a man");
  EXPECT_EQ(text_line(sample(), true), "a man ||| 0-0 2-1");
}

TEST(MarianLine, CountsLinesFromZeroAsMarianDoes) {
  EXPECT_EQ(marian_line(0, sample(), false), "0 ||| a man ||| F0= -3.25 ||| -0.5");
}

TEST(TranslationJson, CountsLinesFromOneAsMessagesDo) {
  Translation translation;
  translation.candidates = {sample()};
  EXPECT_EQ(translation_json(0, "ein \u2028Mann", translation, true),
            R"({"line":1,"source":"ein \u2028Mann","translations":[{"text":"a man","score":-0.5,)"
            R"("log_prob":-3.25,"tokens":["a","man"],"alignment":[[0,0],[2,1]]}]})");
}

}  // namespace
}  // namespace tfm
