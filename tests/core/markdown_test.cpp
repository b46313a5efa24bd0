#include "tfm/core/markdown.h"

#include <gtest/gtest.h>

namespace tfm {
namespace {

TEST(EscapeMarkdown, EscapesMarkupOutsideCode) {
  EXPECT_EQ(escape_markdown("a < b * c, d_e [f] `<g>` | &amp;"),
            R"(a \< b \* c, d_e \[f] `<g>` | \&amp;)");
}

TEST(MarkdownCell, EscapesBarsEvenInCode) {
  EXPECT_EQ(markdown_cell("`a|b` | <c>"), R"(`a\|b` \| \<c>)");
}

}  // namespace
}  // namespace tfm
