#include "documents/paragraph_ranges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "sample_documents.h"

namespace tfm {
namespace {

using testing::ElementsAre;

std::string range_run(const std::string& content) { return "<w:r>" + content + "</w:r>"; }

std::string range_text(const std::string& text) {
  return range_run("<w:t xml:space=\"preserve\">" + text + "</w:t>");
}

std::string field_char(const std::string& type) {
  return range_run("<w:fldChar w:fldCharType=\"" + type + "\"/>");
}

std::string field_code(const std::string& code) {
  return field_char("begin") + range_run("<w:instrText>" + code + "</w:instrText>");
}

std::string field(const std::string& code, const std::string& result) {
  return field_code(code) + field_char("separate") + result + field_char("end");
}

std::string mark(const std::string& name, int id) {
  return "<w:" + name + " w:id=\"" + std::to_string(id) + "\"/>";
}

pugi::xml_document paragraph_of(const std::string& content) {
  pugi::xml_document document;
  document.load_string(("<w:p>" + content + "</w:p>").c_str(), pugi::parse_full);
  return document;
}

std::vector<std::string> range_segments(const std::string& content) {
  return paragraph_segments(paragraph_of(content).first_child(), word_schema());
}

/// Returns the content of the paragraph with these translations.
std::string with_ranges(const std::string& content, const std::vector<std::string>& translations) {
  const auto document = paragraph_of(content);
  set_paragraph(document.first_child(), word_schema(), translations);
  std::ostringstream written;
  for (const auto& child : document.first_child().children())
    child.print(written, "", pugi::format_raw);
  return written.str();
}

TEST(ParagraphRanges, KeepFieldsAroundTheirText) {
  const auto content = range_text("See ") + field("REF a", range_text("the page")) +
                       range_text(" on ") + field("PAGE", range_text("3")) + range_text(" now");
  EXPECT_THAT(range_segments(content), ElementsAre("See <g1>the page</g1> on <g2>3</g2> now"));
  EXPECT_EQ(with_ranges(content, {"auf <g2>3</g2> <g1>die Seite</g1> ansehen"}),
            range_text("auf ") + field("PAGE", range_text("3")) + range_text(" ") +
                field("REF a", range_text("die Seite")) + range_text(" ansehen"));
}

TEST(ParagraphRanges, LoseNoMarkWhateverTheTranslationIs) {
  const auto content = range_text("a ") + field("REF a", range_text("b")) + range_text(" c");
  for (const std::string translation : {"x", "<g1>x", "x</g1>", "<g1></g1>x", "<x1/>x"}) {
    const auto written = with_ranges(content, {translation});
    const auto code = written.find(field_code("REF a") + field_char("separate"));
    ASSERT_NE(code, written.npos) << translation;
    EXPECT_NE(written.find(field_char("end"), code), written.npos) << translation;
  }
}

TEST(ParagraphRanges, KeepFieldsWithoutTextAndFieldsInFields) {
  const auto empty = field_code("XE") + field_char("end");
  const auto no_text = field("PAGE", "");
  EXPECT_THAT(range_segments(range_text("a") + empty + range_text("b") + no_text + range_text("c")),
              ElementsAre("a<x1/>b<x2/>c"));
  EXPECT_EQ(with_ranges(range_text("a") + empty + range_text("b"), {"<x1/>x"}),
            empty + range_text("x"));
  const auto code = field_code("IF") + field("PAGE", range_text("two")) + field_char("separate");
  const auto nested = range_text("a ") + code + range_text("one ") +
                      field("REF", range_text("three")) + field_char("end") + range_text(" b");
  EXPECT_THAT(range_segments(nested), ElementsAre("a <g1>one <g2>three</g2></g1> b"));
  EXPECT_EQ(with_ranges(nested, {"<g1><g2>x</g2> y</g1> z"}),
            code + field("REF", range_text("x")) + range_text(" y") + field_char("end") +
                range_text(" z"));
}

TEST(ParagraphRanges, KeepBookmarksAndCommentsAroundTheirText) {
  const auto content = range_text("a ") + mark("bookmarkStart", 1) + range_text("b") +
                       mark("bookmarkEnd", 1) + range_text(" c ") + mark("commentRangeStart", 1) +
                       range_text("d") + mark("commentRangeEnd", 1) + range_text(" e");
  EXPECT_THAT(range_segments(content), ElementsAre("a <g1>b</g1> c <g2>d</g2> e"));
  EXPECT_EQ(with_ranges(content, {"<g2>x</g2> <g1>y</g1>"}),
            mark("commentRangeStart", 1) + range_text("x") + mark("commentRangeEnd", 1) +
                range_text(" ") + mark("bookmarkStart", 1) + range_text("y") +
                mark("bookmarkEnd", 1));
  EXPECT_THAT(range_segments(range_text("a") + mark("bookmarkStart", 1) + mark("bookmarkEnd", 1) +
                             range_text("b")),
              ElementsAre("a<x1/>b"));
}

TEST(ParagraphRanges, StayOutsideOfASegmentThatTheySurround) {
  const auto begin = mark("bookmarkStart", 1) + field_code("REF") + field_char("separate");
  const auto end = field_char("end") + mark("bookmarkEnd", 1);
  EXPECT_THAT(range_segments(begin + range_text("a b ") + end), ElementsAre("a b"));
  EXPECT_EQ(with_ranges(begin + range_text("a b ") + end, {"x"}),
            begin + range_text("x") + range_text(" ") + end);
  const std::string tab = range_run("<w:tab/>");
  EXPECT_THAT(range_segments(mark("bookmarkStart", 1) + range_text("a") + tab + range_text("b") +
                             mark("bookmarkEnd", 1)),
              ElementsAre("a", "b"));
}

TEST(ParagraphRanges, StayInTheirOrderWhenThePartnerIsElsewhere) {
  const auto start = field_code("TOC") + field_char("separate");
  EXPECT_THAT(range_segments(range_text("a ") + start + range_text("b")), ElementsAre("a <x1/>b"));
  EXPECT_EQ(with_ranges(range_text("a ") + start + range_text("b"), {"x <x1/>"}),
            range_text("x ") + start);
  const auto overlap = range_text("a ") + mark("bookmarkStart", 1) + range_text("b ") + start +
                       range_text("c ") + mark("bookmarkEnd", 1) + range_text("d ") +
                       field_char("end") + range_text("e");
  EXPECT_THAT(range_segments(overlap), ElementsAre("a <x1/>b <g2>c <x3/>d </g2>e"));
}

TEST(ParagraphRanges, AreNotNestedDeeplyInHostileDocuments) {
  std::string content;
  for (int i = 0; i < 20'000; ++i)
    content += mark("bookmarkStart", i) + field_code("A") + field_char("separate");
  content += range_text("a");
  for (int i = 0; i < 20'000; ++i) content += field_char("end") + mark("bookmarkEnd", 19'999 - i);
  content = range_text("b ") + content + range_text(" c");
  EXPECT_EQ(range_segments(content).size(), 1);
}

TEST(ParagraphRanges, PairTheMarksOfOpenDocument) {
  pugi::xml_document document;
  document.load_string(
      "<text:p>a <text:bookmark-start xml:id=\"x\" text:name=\"n\"/>b<text:bookmark-end "
      "text:name=\"n\"/> c <office:annotation office:name=\"m\"/>d<office:annotation-end "
      "office:name=\"m\"/>e</text:p>",
      pugi::parse_full);
  EXPECT_THAT(paragraph_segments(document.first_child(), odf_schema()),
              ElementsAre("a <g1>b</g1> c <g2>d</g2>e"));
}

}  // namespace
}  // namespace tfm
