#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample_documents.h"

namespace tfm {
namespace {

using testing::IsEmpty;

std::string shout_extended(const std::string& text) {
  return shout(text, DocumentFormat::markdown);
}

TEST(MarkdownExtensions, KeepFormulas) {
  EXPECT_EQ(shout_extended("let $x_1$ and $a*b*c$, or ($y$): $$z^{a}$$ be"),
            "LET $x_1$ AND $a*b*c$, OR ($y$): $$z^{a}$$ BE");
  EXPECT_EQ(shout_extended("a\n$$\n- x_1\n= 0\n$$\nb $a \\$ b$ c"),
            "A\n$$\n- x_1\n= 0\n$$\nB $a \\$ b$ C");
  EXPECT_THAT(segments_of("$$\nx\n\\text{if}\n$$\n", DocumentFormat::markdown), IsEmpty());
}

TEST(MarkdownExtensions, TranslateTextBetweenPrices) {
  for (const std::string text : {"from $20,000 to $30,000 a", "5 $ or 6 $ a", "us$ a us$", "5$a 6$",
                                 "$ a $", "$a", "a $", "$$a", "$`b`$ a"}) {
    const auto segments = segments_of(text, DocumentFormat::markdown);
    ASSERT_EQ(segments.size(), 1u) << text;
    EXPECT_EQ(segments.front().find("<x1/>") != std::string::npos,
              text.find('`') != std::string::npos)
        << text;
  }
  EXPECT_EQ(shout_extended("$$\na\n\nb $$"), "$$ A\n\nB $$") << "a formula has no blank line";
}

TEST(MarkdownExtensions, KeepLinesOfContainers) {
  EXPECT_EQ(shout_extended("a\n::: {.note}\nb\n:::\n\n:::tip[c]\n\nd\n\n:::\n"),
            "A\n::: {.note}\nB\n:::\n\n:::tip[c]\n\nD\n\n:::\n");
}

TEST(MarkdownExtensions, KeepShortcodes) {
  EXPECT_EQ(shout_extended("a\n{{< note \"x_y\" >}}\nb\n{{% /note %}}\n"),
            "A\n{{< note \"x_y\" >}}\nB\n{{% /note %}}\n");
  EXPECT_EQ(shout_extended("{{< a >}} {{< b >}}\n"), "{{< a >}} {{< b >}}\n");
  EXPECT_EQ(shout_extended("see {{<ref \"a_b*c*.md\">}} or [x]({{< ref \"y\" >}})"),
            "SEE {{<ref \"a_b*c*.md\">}} OR [X]({{< ref \"y\" >}})");
}

TEST(MarkdownExtensions, AreReadInLinearTimeIfUnfinished) {
  for (const std::string part : {"$a ", "$$a ", "{{< ", "{{% ", "$$ a\n", ":::\n"}) {
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += part;
    EXPECT_EQ(repeat(text, DocumentFormat::markdown), text);
  }
}

}  // namespace
}  // namespace tfm
