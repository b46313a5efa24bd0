#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample_documents.h"

namespace tfm {
namespace {

using testing::ElementsAre;

std::string written_inline(const std::string& text, const std::vector<std::string>& translations) {
  return read_document(text, document_options(DocumentFormat::markdown))
      ->with_translations(translations);
}

TEST(MarkdownInline, WritesNoMarksAroundNothing) {
  EXPECT_EQ(written_inline("a **b** c", {"A <g1></g1> C"}), "A C");
  EXPECT_EQ(written_inline("a *b* c", {"<g1></g1> C."}), "C.");
  EXPECT_EQ(written_inline("a **b *c***", {"A <g1><g2></g2></g1>"}), "A ");
}

TEST(MarkdownInline, GivesAnEmptyLinkTheWordNextToIt) {
  EXPECT_EQ(written_inline("a [b](c) d", {"A <g1></g1> D."}), "A [D](c).");
  EXPECT_EQ(written_inline("a [b](c). D", {"A <g1></g1>. D"}), "[A](c). D");
  EXPECT_EQ(written_inline("a **[b](c)** d", {"A <g1><g2></g2></g1> (D) E"}), "A ([D](c)) E");
  EXPECT_EQ(written_inline("[a](b) [c](d)", {"<g1>A</g1> <g2></g2>"}), "[A](b) [](d)");
  EXPECT_EQ(written_inline("a [](b) ![](c) d", {"A <g1></g1> <g2></g2> D"}), "A [](b) ![](c) D");
}

TEST(MarkdownInline, PairsTheMarksOfEachLineAtAHardLineBreak) {
  const auto shouted = [](const std::string& text) {
    return shout(text, DocumentFormat::markdown);
  };
  EXPECT_EQ(shouted("**a *b  \nc* d**\n"), "**A *B***  \n***C* D**\n");
  EXPECT_EQ(shouted("> [a\\\n> b](c) d  \n> e\n"), "> [A](c)\\\n> [B](c) D  \n> E\n");
  EXPECT_EQ(shouted("a `b  \nc` ![d  \ne](f) g  \nh"), "A `b c` ![D E](f) G  \nH");
  EXPECT_EQ(shouted("a  \n42  \n- b"), "A  \n42  \n- B");
  EXPECT_THAT(segments_of("a\nb  \n`c`  \nd", DocumentFormat::markdown), ElementsAre("a b", "d"));
}

}  // namespace
}  // namespace tfm
