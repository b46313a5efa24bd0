#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample_documents.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr auto markdown = DocumentFormat::markdown;

std::vector<std::string> segments(const std::string& text) { return segments_of(text, markdown); }
std::string shout_markdown(const std::string& text) { return shout(text, markdown); }

TEST(Markdown, TranslatesBlocksAndKeepsTheirMarks) {
  const std::string text =
      "---\ntitle: x\n---\n# A title #\n\nSome text\nover two lines.\n\n"
      "- one\n- [ ] two\n  more\n    1. three\n\n> quoted\n> text\n\nunderlined\n===\n";
  EXPECT_THAT(segments(text), ElementsAre("A title", "Some text over two lines.", "one", "two more",
                                          "three", "quoted text", "underlined"));
  EXPECT_EQ(repeat(text, markdown), text);
  EXPECT_EQ(shout_markdown(text),
            "---\ntitle: x\n---\n# A TITLE #\n\nSOME TEXT OVER TWO LINES.\n\n"
            "- ONE\n- [ ] TWO MORE\n    1. THREE\n\n> QUOTED TEXT\n\nUNDERLINED\n===\n");
}

TEST(Markdown, LeavesCodeAndDefinitionsOfLinks) {
  for (const std::string text :
       {"```c\nint main() {}\n```\n", "~~~~\n```\nx\n~~~~\n", "    indented code\n",
        "[label]: https://example.org/a \"b\"\n", "`code`\n", "***\n", "- - -\n",
        "<!-- a\n\nb -->\n", "<script>\nx\n\ny</script>\n"})
    EXPECT_THAT(segments(text), IsEmpty()) << text;
  EXPECT_THAT(segments("- a\n\n  ```\n  code\n  ```\n\n      code\n"), ElementsAre("a", "code"));
}

TEST(Markdown, KeepsInlineMarkup) {
  const std::string text =
      "A **bold** and *soft* `code` [link *x*](http://a.b/c \"t\") ![alt](i.png)";
  EXPECT_THAT(segments(text), ElementsAre("A <g1>bold</g1> and <g2>soft</g2> <x3/> "
                                          "<g4>link <g5>x</g5></g4> <g6>alt</g6>"));
  EXPECT_EQ(shout_markdown(text),
            "A **BOLD** AND *SOFT* `code` [LINK *X*](http://a.b/c \"t\") ![ALT](i.png)");
  EXPECT_EQ(shout_markdown("see https://example.org/x, <me@a.b> and <b>you</b> &amp; \\*me\\*"),
            "SEE https://example.org/x, <me@a.b> AND <b>YOU</b> & \\*ME\\*");
  EXPECT_EQ(shout_markdown("a snake_case name, 2 * 3 * 4 and [x] ~~gone~~ \\["),
            "A SNAKE_CASE NAME, 2 \\* 3 \\* 4 AND [X] ~~GONE~~ [");
}

TEST(Markdown, KeepsTheTargetsOfReferences) {
  EXPECT_EQ(shout_markdown("[home][a] and [b] and [^1] and [c][]\n\n[a]: x\n[b]: y\n[C]: z\n"),
            "[HOME][a] AND [B][b] AND [^1] AND [C][c]\n\n[a]: x\n[b]: y\n[C]: z\n");
}

TEST(Markdown, TranslatesCellsOfTables) {
  const std::string text = "| a | b \\| c |\n|---|:-:|\n| `x` | **d** |\n\nnext | line\n";
  EXPECT_EQ(shout_markdown(text), "| A | B \\| C |\n|---|:-:|\n| `x` | **D** |\n\nNEXT | LINE\n");
}

TEST(Markdown, KeepsHardLineBreaksAndBlocksOfHtml) {
  EXPECT_EQ(shout_markdown("one  \ntwo\\\nthree\n"), "ONE  \nTWO\\\nTHREE\n");
  EXPECT_EQ(shout_markdown("<p align=\"center\">\n  a <b>b</b>\n</p>\n\nc\n"),
            "<p align=\"center\">\n  A <b>B</b>\n</p>\n\nC\n");
}

TEST(Markdown, EscapesTranslationsThatWouldBeMarkup) {
  const auto written = [](const std::string& translation) {
    return read_document("x", document_options(markdown))
        ->with_translations(std::vector{translation});
  };
  EXPECT_EQ(written("# x"), "\\# x");
  EXPECT_EQ(written("1. x"), "1\\. x");
  EXPECT_EQ(written("- *x*"), "\\- \\*x\\*");
  EXPECT_EQ(written("&lt;b&gt;"), "\\<b>");
  EXPECT_EQ(written("2.5 x-y"), "2.5 x-y");
  EXPECT_EQ(written("&amp;copy; &amp;nosuch; R&amp;D"), "\\&copy; \\&nosuch; R&D");
}

TEST(Markdown, KeepsEntitiesThatHaveNoName) {
  EXPECT_EQ(shout_markdown("a&nosuch;b &auml;"), "A&nosuch;B ä");
}

TEST(Markdown, ReadsTextFullOfMarks) {
  for (const std::string mark : {"*a ", "[", "`", "``` `", "_a ", "![", "~~a ", "<", "\\", "&"}) {
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += mark;
    EXPECT_EQ(repeat(text + "x", markdown), text + "x");
  }
  for (const std::string mark : {"- ", ">", "[^1]: ", "> [!a] "}) {
    std::string text;
    for (int i = 0; i < 200'000; ++i) text += mark;
    EXPECT_EQ(repeat(text + "x", markdown), text + "x");
  }
}

}  // namespace
}  // namespace tfm
