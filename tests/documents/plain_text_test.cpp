#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample_documents.h"

namespace tfm {
namespace {

using testing::ElementsAre;

constexpr auto txt = DocumentFormat::txt;

TEST(PlainText, TranslatesEachLineAndKeepsTheOthers) {
  const std::string text =
      "\xEF\xBB\xBF"
      "Title\r\n\r\n  * a & b < c\r\n42\r\n\r\nend";
  EXPECT_THAT(segments_of(text, txt), ElementsAre("Title", "* a &amp; b &lt; c", "end"));
  EXPECT_EQ(shout(text, txt),
            "\xEF\xBB\xBF"
            "TITLE\r\n\r\n  * A & B < C\r\n42\r\n\r\nEND");
  EXPECT_EQ(repeat(text, txt), text);
}

TEST(PlainText, JoinsLinesThatWereWrapped) {
  const std::string text =
      "  The first sentence of this paragraph is wrapped\n"
      "  at fifty columns, and so is the second one, as\n"
      "  programs do.\n"
      "\n"
      "1 Main Street\n"
      "Springfield\n";
  EXPECT_THAT(segments_of(text, txt),
              ElementsAre("The first sentence of this paragraph is wrapped at fifty columns, and "
                          "so is the second one, as programs do.",
                          "1 Main Street", "Springfield"));
  EXPECT_EQ(shout(text, txt),
            "  THE FIRST SENTENCE OF THIS PARAGRAPH IS WRAPPED\n"
            "  AT FIFTY COLUMNS, AND SO IS THE SECOND ONE, AS\n"
            "  PROGRAMS DO.\n"
            "\n"
            "1 MAIN STREET\n"
            "SPRINGFIELD\n");
}

TEST(PlainText, FindsWrappedLinesBelowAHeading) {
  EXPECT_EQ(segments_of("Heading\n"
                        "The first sentence of this paragraph is wrapped\n"
                        "at fifty columns, and so is the second one.\n",
                        txt)
                .size(),
            2U);
}

TEST(PlainText, KeepsLinesApartThatWereNotWrapped) {
  const std::string text =
      "This line is long enough to be a line of a wrapped text\n"
      "but this one\n"
      "was not wrapped at the width of the first one.\n";
  EXPECT_EQ(segments_of(text, txt).size(), 3U);
  EXPECT_EQ(repeat(text, txt), text);
}

}  // namespace
}  // namespace tfm
