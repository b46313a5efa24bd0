#include "documents/xml_paragraph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "sample_documents.h"

namespace tfm {
namespace {

using testing::ElementsAre;

/// A paragraph, and what it becomes.
struct Sample {
  explicit Sample(const std::string& xml, const ParagraphSchema& used) : schema(used) {
    document.load_string(xml.c_str(), pugi::parse_full | pugi::parse_ws_pcdata);
  }
  std::vector<std::string> segments() { return paragraph_segments(document.first_child(), schema); }
  std::string set(const std::vector<std::string>& translations) {
    set_paragraph(document.first_child(), schema, translations);
    std::ostringstream written;
    document.save(written, "", pugi::format_raw | pugi::format_no_declaration);
    return written.str();
  }
  std::string shouted() {
    auto translations = segments();
    for (auto& segment : translations) segment = shout_segment(segment);
    return set(translations);
  }
  pugi::xml_document document;
  const ParagraphSchema& schema;
};

std::string run(const std::string& text, const std::string& properties = "") {
  return "<w:r>" + (properties.empty() ? "" : "<w:rPr>" + properties + "</w:rPr>") +
         "<w:t xml:space=\"preserve\">" + text + "</w:t></w:r>";
}

TEST(XmlParagraph, JoinsRunsOfOneFormatAndTagsTheOthers) {
  Sample sample("<w:p><w:pPr><w:jc/></w:pPr>" + run("A lo") + "<w:proofErr/>" +
                    run("ng", "<w:lang w:val=\"en\"/>") + run(" and ") + run("bold", "<w:b/>") +
                    run(" text") + "</w:p>",
                word_schema());
  EXPECT_THAT(sample.segments(), ElementsAre("A long and <g1>bold</g1> text"));
  EXPECT_EQ(sample.set({"Ein <g1>fetter</g1> &amp; langer Text"}),
            "<w:p><w:pPr><w:jc/></w:pPr>" + run("Ein ") + run("fetter", "<w:b/>") +
                run(" &amp; langer Text") + "</w:p>");
}

TEST(XmlParagraph, KeepsLinksAndObjects) {
  const std::string drawing = "<w:r><w:drawing><x/></w:drawing></w:r>";
  const std::string note = "<w:r><w:rPr><w:u/></w:rPr><w:footnoteReference w:id=\"2\"/></w:r>";
  Sample sample("<w:p>" + drawing + run("See ") + "<w:hyperlink r:id=\"rId1\">" +
                    run("the page", "<w:u/>") + "</w:hyperlink>" + run(" now") + note + run(".") +
                    "<w:bookmarkEnd w:id=\"1\"/></w:p>",
                word_schema());
  EXPECT_THAT(sample.segments(), ElementsAre("See <g1>the page</g1> now<x2/>."));
  EXPECT_EQ(sample.set({"<g1>die Seite</g1> jetzt<x2/>!"}),
            "<w:p>" + drawing + "<w:hyperlink r:id=\"rId1\">" + run("die Seite", "<w:u/>") +
                "</w:hyperlink>" + run(" jetzt") + note + run("!") +
                "<w:bookmarkEnd w:id=\"1\"/></w:p>");
}

TEST(XmlParagraph, LosesNoObjectWhateverTheTranslationIs) {
  const std::string note = "<w:r><w:footnoteReference w:id=\"2\"/></w:r>";
  Sample sample("<w:p>" + run("a") + note + run("b") + "</w:p>", word_schema());
  EXPECT_EQ(sample.set({"<g9>c</g1><x4/></g1>"}), "<w:p>" + run("c") + note + "</w:p>");
}

TEST(XmlParagraph, SplitsAtBreaksAndTabs) {
  const std::string tab = "<w:r><w:tab/></w:r>";
  Sample sample(
      "<w:p>" + tab + run("Name: ") + tab + run("x") + "<w:r><w:br/></w:r>" + run("42") + "</w:p>",
      word_schema());
  EXPECT_THAT(sample.segments(), ElementsAre("Name:", "x"));
  EXPECT_EQ(sample.shouted(), "<w:p>" + tab + run("NAME:") + run(" ") + tab + run("X") +
                                  "<w:r><w:br/></w:r>" + run("42") + "</w:p>");
}

TEST(XmlParagraph, KeepsTheEndOfParagraphsInDrawings) {
  Sample sample(
      "<a:p><a:pPr/><a:r><a:rPr b=\"1\" dirty=\"0\"/><a:t>one </a:t></a:r><a:r><a:rPr b=\"1\"/>"
      "<a:t>two</a:t></a:r><a:br/><a:fld "
      "type=\"slidenum\"><a:t>3</a:t></a:fld><a:endParaRPr/></a:p>",
      drawing_schema());
  EXPECT_EQ(sample.shouted(),
            "<a:p><a:pPr/><a:r><a:rPr b=\"1\" dirty=\"0\"/><a:t>ONE TWO</a:t></a:r><a:br/>"
            "<a:fld type=\"slidenum\"><a:t>3</a:t></a:fld><a:endParaRPr/></a:p>");
}

TEST(XmlParagraph, ReadsAllOfATextThatIsDivided) {
  const std::string divided = "one <!-- x -->two<![CDATA[ & three]]><?y z?> four";
  for (const auto* const schema : {&word_schema(), &drawing_schema()}) {
    Sample sample("<p><r><t>" + divided + "</t></r></p>", *schema);
    EXPECT_THAT(sample.segments(), ElementsAre("one two &amp; three four"));
  }
  Sample cell("<si><t>" + divided + "</t></si>", sheet_schema());
  EXPECT_EQ(cell.shouted(), "<si><t xml:space=\"preserve\">ONE TWO &amp; THREE FOUR</t></si>");
}

TEST(XmlParagraph, TranslatesLinesOfCells) {
  Sample plain("<si><t>one\ntwo</t><phoneticPr fontId=\"1\"/></si>", sheet_schema());
  EXPECT_THAT(plain.segments(), ElementsAre("one", "two"));
  EXPECT_EQ(plain.shouted(),
            "<si><t xml:space=\"preserve\">ONE\nTWO</t><phoneticPr fontId=\"1\"/></si>");
}

TEST(XmlParagraph, ReadsMixedContentOfOpenDocument) {
  Sample sample(
      "<text:p text:style-name=\"P1\"><text:s text:c=\"2\"/>One <text:span "
      "text:style-name=\"T1\">tw"
      "</text:span><text:span text:style-name=\"T1\">o</text:span> th<!-- x "
      "-->ree<text:note><text:p>n"
      "</text:p></text:note> four<text:line-break/><text:a xlink:href=\"x\">five</text:a></text:p>",
      odf_schema());
  EXPECT_THAT(sample.segments(), ElementsAre("One <g1>two</g1> three<x2/> four", "<g1>five</g1>"));
  EXPECT_EQ(sample.shouted(),
            "<text:p text:style-name=\"P1\"><text:s text:c=\"2\"/>ONE <text:span "
            "text:style-name=\"T1\">TWO</text:span> THREE<text:note><text:p>n</text:p></text:note> "
            "FOUR<text:line-break/><text:a xlink:href=\"x\">FIVE</text:a></text:p>");
}

TEST(XmlParagraph, DropsWhiteSpaceThatOpenDocumentDoesNotShow) {
  Sample sample(
      "<text:p>\n <text:bookmark/> one <text:span> two</text:span> \n<text:note/> three"
      "<text:line-break/> four</text:p>",
      odf_schema());
  EXPECT_THAT(sample.segments(), ElementsAre("one <g1>two</g1> <x2/> three", "four"));
  EXPECT_EQ(sample.shouted(),
            "<text:p><text:bookmark/>ONE <text:span>TWO</text:span> <text:note/> THREE"
            "<text:line-break/><text:s text:c=\"1\"/>FOUR</text:p>");
}

}  // namespace
}  // namespace tfm
