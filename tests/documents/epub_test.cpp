#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample_documents.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;

const std::string contents = "<ncx><navLabel><text>Chapter &amp; verse</text></navLabel></ncx>";

std::string make_epub(const std::string& package, const std::string& ncx = contents) {
  return make_zip({{"mimetype", "application/epub+zip"},
                   {"META-INF/container.xml",
                    "<container><rootfiles><rootfile "
                    "full-path=\"OEBPS/content.opf\"/></rootfiles></container>"},
                   {"OEBPS/content.opf", package},
                   {"OEBPS/text/a b.xhtml",
                    "<?xml version=\"1.0\"?>\n<!DOCTYPE html>\n<html><body><p>One "
                    "<i>two</i></p></body></html>"},
                   {"OEBPS/toc.ncx", ncx},
                   {"OEBPS/style.css", "p {}"}});
}

const std::string package =
    "<package><manifest><item href=\"text/a%20b.xhtml\" media-type=\"application/xhtml+xml\"/>"
    "<item href=\"toc.ncx\" media-type=\"application/x-dtbncx+xml\"/>"
    "<item href=\"style.css\" media-type=\"text/css\"/><item "
    "href=\"../../x\"/></manifest></package>";

TEST(Epub, TranslatesPagesAndTheTableOfContents) {
  const auto book = make_epub(package);
  EXPECT_THAT(segments_of(book, DocumentFormat::epub),
              ElementsAre("One <i>two</i>", "Chapter &amp; verse"));
  EXPECT_EQ(repeat(book, DocumentFormat::epub), book);
  const auto shouted = shout(book, DocumentFormat::epub);
  EXPECT_EQ(
      zip_entry(shouted, "OEBPS/text/a b.xhtml"),
      "<?xml version=\"1.0\"?>\n<!DOCTYPE html>\n<html><body><p>ONE <i>TWO</i></p></body></html>");
  EXPECT_EQ(zip_entry(shouted, "OEBPS/toc.ncx"),
            "<ncx><navLabel><text>CHAPTER &amp; VERSE</text></navLabel></ncx>");
  EXPECT_EQ(zip_entry(shouted, "OEBPS/style.css"), "p {}");
  EXPECT_EQ(shouted.substr(0, 58), book.substr(0, 58));
}

TEST(Epub, FindsLabelsWithAttributesAndPrefixes) {
  const auto ncx = [](const std::string& one, const std::string& two) {
    return "<?xml version=\"1.0\"?><!DOCTYPE ncx PUBLIC \"x\" \"y\"><!-- <text>x</text> --><n:ncx>"
           "<n:text xml:lang=\"a>b\">" +
           one + "</n:text><text\n>" + two + "</text><text/>no <texts>no</texts></n:ncx>";
  };
  const auto book = make_epub(package, ncx("one", "two"));
  EXPECT_THAT(segments_of(book, DocumentFormat::epub), ElementsAre("One <i>two</i>", "one", "two"));
  EXPECT_EQ(zip_entry(shout(book, DocumentFormat::epub), "OEBPS/toc.ncx"), ncx("ONE", "TWO"));
}

TEST(Epub, AcceptsADocumentTypeThatDefinesNoEntities) {
  const std::string type = "<!DOCTYPE package PUBLIC \"+//ISBN//DTD OEB 1.2//EN\" \"oeb.dtd\"";
  EXPECT_EQ(segments_of(make_epub(type + ">" + package), DocumentFormat::epub).size(), 2);
  EXPECT_THROW(segments_of(make_epub(type + " [<!ENTITY x SYSTEM \"/etc/passwd\">]>" + package),
                           DocumentFormat::epub),
               DataError);
}

TEST(Epub, RefusesAnArchiveWithoutAPackage) {
  EXPECT_THROW(segments_of(make_zip({{"a", "b"}}), DocumentFormat::epub), DataError);
  EXPECT_THROW(segments_of(make_epub("<package"), DocumentFormat::epub), DataError);
}

}  // namespace
}  // namespace tfm
