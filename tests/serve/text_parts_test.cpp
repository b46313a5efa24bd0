#include "serve/text_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tfm {
namespace {

using testing::ElementsAre;

std::vector<std::string> lines(const std::string& text, TextFormat format = TextFormat::text) {
  std::vector<std::string> found;
  for (const auto& part : split_text(text, format)) {
    if (part.is_line) found.push_back(part.text);
  }
  return found;
}

TEST(SplitText, KeepsLineBreaksBetweenLines) {
  for (const std::string text :
       {"", "\n", "a", "a\nb", "\r\n\r\na\r\n", "a\rb\n\n\nc", "a\r\r\n"}) {
    std::string joined;
    for (const auto& part : split_text(text, TextFormat::text)) joined += part.text;
    EXPECT_EQ(joined, text);
  }
  EXPECT_THAT(lines("a\n\n b \r\nc\rd"), ElementsAre("a", " b ", "c\rd"));
}

TEST(SplitText, SplitsHtmlAtBlocks) {
  EXPECT_THAT(lines("<p>a\nb</p><p>c</p>", TextFormat::html), ElementsAre("a\nb", "c"));
}

/// The names of tags and classes look like English.
TEST(VisibleText, HasNoMarkup) {
  const std::string html = "<div class=\"the-main-thing\"><p>Ein <b>Hund</b></p></div>";
  EXPECT_EQ(visible_text(split_text(html, TextFormat::html), TextFormat::html), "Ein Hund\n");
  EXPECT_EQ(visible_text(split_text("a <b>\nc", TextFormat::text), TextFormat::text), "a <b>\nc");
}

TEST(JoinTranslations, PutsTheTranslationsBetweenTheOtherParts) {
  const auto parts = split_text("a\n\nb\n", TextFormat::text);
  const std::vector<LineTranslation> single{{{"A"}}, {{"B"}}};
  EXPECT_THAT(join_translations(parts, single), ElementsAre("A\n\nB\n"));
  const std::vector<LineTranslation> several{{{"A", "A2", "A3"}}, {{"B", "B2"}}};
  EXPECT_THAT(join_translations(parts, several),
              ElementsAre("A\n\nB\n", "A2\n\nB2\n", "A3\n\nB2\n"));
  EXPECT_THAT(join_translations({}, {}), ElementsAre(""));
}

}  // namespace
}  // namespace tfm
