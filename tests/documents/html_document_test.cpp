#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample_documents.h"

namespace tfm {
namespace {

TEST(HtmlDocument, TranslatesRunningTextOnly) {
  const std::string text =
      "<!DOCTYPE html>\n<html><head><title>A &amp; b</title><style>p {}</style></head>\n"
      "<body class='x'><p>One <b>two</b> &lt; three</p><p>42</p><script>var a = '<p>b</p>';"
      "</script></body></html>\n";
  EXPECT_THAT(segments_of(text, DocumentFormat::html),
              testing::ElementsAre("A &amp; b", "One <b>two</b> &lt; three"));
  EXPECT_EQ(repeat(text, DocumentFormat::html), text);
  EXPECT_EQ(shout(text, DocumentFormat::html),
            "<!DOCTYPE html>\n<html><head><title>A &amp; B</title><style>p {}</style></head>\n"
            "<body class='x'><p>ONE <b>TWO</b> &lt; THREE</p><p>42</p><script>var a = '<p>b</p>';"
            "</script></body></html>\n");
}

}  // namespace
}  // namespace tfm
