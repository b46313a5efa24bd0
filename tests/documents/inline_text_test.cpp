#include "documents/inline_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tfm {
namespace {

std::string as_it_is(std::string_view plain) { return std::string(plain); }

TEST(InlineText, StandsForFormattingByNumberedTags) {
  InlineText text;
  text.add_text("a < b & ");
  const auto bold = text.open("**");
  text.add_text("c");
  text.close(bold, "**");
  text.add_object("`d`");
  EXPECT_EQ(text.segment(), "a &lt; b &amp; <g1>c</g1><x2/>");
  EXPECT_EQ(text.restore(text.segment(), as_it_is), "a < b & **c**`d`");
  EXPECT_EQ(text.restore("<x2/> x <g1>y</g1>", as_it_is), "`d` x **y**");
}

TEST(InlineText, LosesNoObjectWhateverTheTranslationIs) {
  InlineText text;
  text.add_text("a");
  text.add_object("{\\an8}");
  EXPECT_EQ(text.restore("b", as_it_is), "b{\\an8}");
  EXPECT_EQ(text.restore("b<x7/></g1>", as_it_is), "b{\\an8}");
}

TEST(InlineText, KeepsTagsOfTheDocumentApartFromItsOwn) {
  InlineText text;
  text.add_tagged_text("<b>a</b> <g1>b</g1> &lt;", false);
  EXPECT_EQ(text.segment(), "<b>a</b> <x1/>b<x2/> &amp;lt;");
  EXPECT_EQ(text.restore(text.segment(), as_it_is), "<b>a</b> <g1>b</g1> &lt;");
  InlineText entities;
  entities.add_tagged_text("<b>a</b> &lt;", true);
  EXPECT_EQ(entities.segment(), "<b>a</b> &lt;");
}

TEST(HasLetters, KnowsScriptsAndIgnoresDigits) {
  for (const char* text : {"a", "4 ä", "東", "б", "42x"}) EXPECT_TRUE(has_letters(text)) << text;
  for (const char* text : {"", "42", "…", "3,50 €", "--"}) EXPECT_FALSE(has_letters(text)) << text;
  EXPECT_FALSE(segment_has_letters("<g1>42</g1><br id=\"2\"/>"));
  EXPECT_TRUE(segment_has_letters("<g1>x</g1>"));
}

}  // namespace
}  // namespace tfm
