#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample_documents.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> block_segments(const std::string& text) {
  return segments_of(text, DocumentFormat::markdown);
}
std::string shout_blocks(const std::string& text) { return shout(text, DocumentFormat::markdown); }

TEST(MarkdownBlocks, KeepTheMarksOfFootnotes) {
  const std::string text =
      "a[^1] b[^long]\n\n[^1]: one\nmore\n[^long]: **two**\n\n    three\n\n        code\n";
  EXPECT_THAT(block_segments(text),
              ElementsAre("a<x1/> b<x2/>", "one more", "<g1>two</g1>", "three"));
  EXPECT_EQ(shout_blocks(text),
            "A[^1] B[^long]\n\n[^1]: ONE MORE\n[^long]: **TWO**\n\n    THREE\n\n        code\n");
  EXPECT_EQ(shout_blocks("[^1]:\n    one\n"), "[^1]:\n    ONE\n");
}

TEST(MarkdownBlocks, TranslateLinesThatOnlyResembleDefinitions) {
  EXPECT_EQ(shout_blocks("[a](a.md) for [b]: c d.\n"), "[A](a.md) FOR [B]: C D.\n");
  EXPECT_EQ(shout_blocks("[b]: c d.\n"), "[B]: C D.\n");
  for (const std::string text :
       {"[a]: b\n", "[a]: <b c> 'd e'\n", "[a]:\n  b\n  \"c d\"\n", "[a]: b (c d)\n", "> [a]: b\n",
        "[a]: b \"c\nd\"\n", "[a\\]b]: c\n"})
    EXPECT_THAT(block_segments(text), IsEmpty()) << text;
  EXPECT_EQ(read_document("x", document_options(DocumentFormat::markdown))
                ->with_translations(std::vector<std::string>{"[b]: c"}),
            "\\[b]: c");
}

TEST(MarkdownBlocks, TellFrontMatterFromRules) {
  EXPECT_EQ(shout_blocks("---\na: b\n...\nc\n\n---\n"), "---\na: b\n...\nC\n\n---\n");
  EXPECT_EQ(shout_blocks("---\n\na\n\n---\n\nb\n"), "---\n\nA\n\n---\n\nB\n");
}

TEST(MarkdownBlocks, CountTabsAsColumns) {
  EXPECT_THAT(block_segments("a\n\n\tcode\n\n \tcode\n\n>\t\tcode\n\n>     code\n"),
              ElementsAre("a"));
  EXPECT_THAT(block_segments("- a\n\t- b\n\n\t\tc\n\n>\td\n"), ElementsAre("a", "b", "c", "d"));
}

TEST(MarkdownBlocks, EndCodeWithItsQuote) {
  EXPECT_THAT(block_segments("> ```\n> code\n\na\n"), ElementsAre("a"));
  EXPECT_THAT(block_segments("```\n> ```\n- ```\n```\na\n"), ElementsAre("a"));
}

TEST(MarkdownBlocks, KeepTheLinesThatBeginAlerts) {
  EXPECT_EQ(shout_blocks("> [!NOTE]\n> a\n> b\n"), "> [!NOTE]\n> A B\n");
  EXPECT_EQ(shout_blocks("> [!tip]- a\n> b\n"), "> [!tip]- A\n> B\n");
  EXPECT_EQ(shout_blocks("> [!a](b) c\n"), "> [!A](b) C\n");
}

}  // namespace
}  // namespace tfm
