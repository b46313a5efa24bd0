#include "tfm/translate/explanation_table.h"

#include <gtest/gtest.h>

namespace tfm {
namespace {

TEST(ExplanationTable, EscapesControlCharactersAndReplacesLineBreaks) {
  Candidate candidate;
  candidate.explanation = {{"a\x1b[2J", 0, {{"\u009b", -1}}}, {"b\n\u2028", 0, {}}};
  EXPECT_EQ(explanation_table(candidate),
            "  100.0%  a\\x1b[2J  \\x9b 36.8%\n"
            "  100.0%  b       \n");
}

TEST(ExplanationTable, AlignsColumnsByCodePoints) {
  Candidate candidate;
  candidate.explanation = {{"\u2581ei", 0, {{"x", -1}}}, {"n", 0, {{"y", -1}}}};
  EXPECT_EQ(explanation_table(candidate),
            "  100.0%  \u2581ei  x 36.8%\n"
            "  100.0%  n    y 36.8%\n");
}

}  // namespace
}  // namespace tfm
