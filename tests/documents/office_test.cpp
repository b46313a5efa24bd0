#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample_documents.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string refusal_of(const std::string& bytes, DocumentFormat format = DocumentFormat::docx) {
  try {
    segments_of(bytes, format);
    return {};
  } catch (const DataError& error) {
    return error.what();
  }
}

std::string word(const std::string& text) {
  return "<w:p><w:r><w:t>" + text + "</w:t></w:r></w:p>";
}

TEST(Office, TranslatesTheTextsOfADocx) {
  const auto document = make_docx(word("one &amp; two") + word("42") + "<w:tbl><w:tc>" +
                                  word("cell") + "</w:tc></w:tbl>");
  EXPECT_THAT(segments_of(document, DocumentFormat::docx), ElementsAre("one &amp; two", "cell"));
  EXPECT_EQ(repeat(document, DocumentFormat::docx), document);
  const auto shouted = shout(document, DocumentFormat::docx);
  const auto text = zip_entry(shouted, "word/document.xml");
  EXPECT_THAT(text, HasSubstr("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"));
  EXPECT_THAT(text, HasSubstr("<w:t xml:space=\"preserve\">ONE &amp; TWO</w:t>"));
  EXPECT_THAT(text, HasSubstr(word("42") + "<w:tbl><w:tc>"));
  EXPECT_EQ(zip_entry(shouted, "word/media/image1.png"), std::string("\x89PNG\0\1", 6));
}

TEST(Office, TranslatesTextBoxesInsideOfParagraphs) {
  const auto box = "<w:p><w:r><w:t>outer</w:t></w:r><w:r><w:pict><w:txbxContent>" + word("inner") +
                   "</w:txbxContent></w:pict></w:r></w:p>";
  const auto document = make_docx(box);
  EXPECT_THAT(segments_of(document, DocumentFormat::docx), ElementsAre("outer", "inner"));
  const auto text = zip_entry(shout(document, DocumentFormat::docx), "word/document.xml");
  EXPECT_THAT(text, HasSubstr("OUTER"));
  EXPECT_THAT(text, HasSubstr("<w:pict><w:txbxContent><w:p>"));
  EXPECT_THAT(text, HasSubstr("INNER"));
}

TEST(Office, TranslatesSlidesAndNotesButNotMasters) {
  const auto slide = [](const std::string& root, const std::string& text) {
    return "<p:" + root + "><a:p><a:r><a:t>" + text + "</a:t></a:r></a:p></p:" + root + ">";
  };
  const auto document =
      make_zip({{"[Content_Types].xml", "<Types/>"},
                {"ppt/slides/slide1.xml", slide("sld", "title")},
                {"ppt/notesSlides/notesSlide1.xml", slide("notes", "note")},
                {"ppt/slideMasters/slideMaster1.xml", slide("sldMaster", "click")},
                {"ppt/charts/chart1.xml", slide("chartSpace", "axis")}});
  EXPECT_THAT(segments_of(document, DocumentFormat::pptx), ElementsAre("title", "note", "axis"));
  EXPECT_EQ(zip_entry(shout(document, DocumentFormat::pptx), "ppt/slides/slide1.xml"),
            slide("sld", "TITLE"));
}

TEST(Office, TranslatesCellsButNeitherFormulasNorHeadingsOfTables) {
  const auto document = make_zip(
      {{"[Content_Types].xml", "<Types/>"},
       {"xl/sharedStrings.xml", "<sst><si><t>Price</t></si><si><t>a cup</t></si></sst>"},
       {"xl/worksheets/sheet1.xml",
        "<worksheet><c "
        "t=\"inlineStr\"><is><t>tea</t></is></c><c><f>SUM(A1)</f><v>3</v></c></worksheet>"},
       {"xl/tables/table1.xml", "<table><tableColumn name=\"Price\"/></table>"}});
  EXPECT_THAT(segments_of(document, DocumentFormat::xlsx), ElementsAre("a cup", "tea"));
  const auto shouted = shout(document, DocumentFormat::xlsx);
  EXPECT_THAT(zip_entry(shouted, "xl/sharedStrings.xml"), HasSubstr("<si><t>Price</t></si>"));
  EXPECT_THAT(zip_entry(shouted, "xl/sharedStrings.xml"), HasSubstr("A CUP"));
  EXPECT_THAT(zip_entry(shouted, "xl/worksheets/sheet1.xml"), HasSubstr("<f>SUM(A1)</f><v>3</v>"));
}

TEST(Office, TranslatesOpenDocumentText) {
  const auto document =
      make_zip({{"mimetype", "application/vnd.oasis.opendocument.text"},
                {"content.xml",
                 "<office:document-content><text:h>One</text:h><text:p>Two<text:note><text:p>three"
                 "</text:p></text:note></text:p></office:document-content>"}});
  EXPECT_THAT(segments_of(document, DocumentFormat::odt), ElementsAre("One", "Two", "three"));
  EXPECT_EQ(zip_entry(shout(document, DocumentFormat::odt), "content.xml"),
            "<office:document-content><text:h>ONE</text:h><text:p>TWO<text:note><text:p>THREE"
            "</text:p></text:note></text:p></office:document-content>");
}

std::string docx_of(const std::string& xml) {
  return make_zip({{"[Content_Types].xml", "<Types/>"}, {"word/document.xml", xml}});
}

TEST(Office, ReadsUtf16AndRefusesBytesThatAreNotUtf8) {
  const std::string names = "<w:document><w:body>" + word("one") + "</w:body></w:document>";
  const std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><!-- <x> -->" + names;
  for (const bool is_little : {true, false}) {
    std::string utf16 = is_little ? "\xFF\xFE" : "\xFE\xFF";
    for (const char c : xml) (utf16 += is_little ? c : '\0') += is_little ? '\0' : c;
    EXPECT_THAT(segments_of(docx_of(utf16), DocumentFormat::docx), ElementsAre("one"));
    EXPECT_THAT(zip_entry(shout(docx_of(utf16), DocumentFormat::docx), "word/document.xml"),
                testing::AllOf(testing::StartsWith("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"),
                               HasSubstr("ONE")));
  }
  const std::string latin = "<?xml version=\"1.0\" encoding=\"windows-1252\"?>\n<w:document>" +
                            word("\xE4") + "</w:document>";
  EXPECT_THAT(refusal_of(docx_of(latin)),
              HasSubstr("sample:word/document.xml:2: is not valid UTF-8"));
  EXPECT_THAT(segments_of(docx_of("<!-- <x> <!-- -->" + names), DocumentFormat::docx),
              ElementsAre("one"));
  EXPECT_THAT(refusal_of(docx_of("<!-- <x>" + names)), testing::IsEmpty());  // has no root
}

TEST(Office, RefusesHostileXml) {
  EXPECT_THAT(refusal_of(docx_of("<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>"
                                 "<w:document><w:p><w:r><w:t>&x;</w:t></w:r></w:p></w:document>")),
              HasSubstr("sample:word/document.xml: has a document type"));
  std::string deep = "<w:document>";
  for (int i = 0; i < 600; ++i) deep += "<w:p>";
  for (int i = 0; i < 600; ++i) deep += "</w:p>";
  EXPECT_THAT(refusal_of(docx_of(deep + "</w:document>")), HasSubstr("nested more than"));
  EXPECT_THAT(refusal_of(docx_of("<w:document><w:p>")), HasSubstr("is not valid XML"));
  EXPECT_THAT(refusal_of(make_zip({{"x", "y"}})), HasSubstr("is not a document of the format"));
  EXPECT_THAT(refusal_of("plain text"), HasSubstr("is not a complete zip archive"));
}

}  // namespace
}  // namespace tfm
