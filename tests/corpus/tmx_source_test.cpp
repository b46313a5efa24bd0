#include "corpus/tmx_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corpus/read_pairs.h"
#include "property.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

std::string variant(const std::string& language, const std::string& text) {
  return "<tuv xml:lang=\"" + language + "\">\n<seg>" + text + "</seg>\n</tuv>\n";
}

/// Returns "line:source|target" for each unit of the body, with "!" before malformed ones.
std::vector<std::string> read_body(const std::string& body, const std::string& from = "de",
                                   const std::string& to = "en") {
  const TemporaryFolder folder;
  TmxSource source(folder.write("a.tmx", "<tmx>\n<body>\n" + body + "</body>\n</tmx>\n"), from, to);
  return read_pairs(source);
}

TEST(TmxText, DecodesEntitiesAndRemovesInlineCodes) {
  EXPECT_EQ(tmx_text("Tom &amp; Jerry &lt;3 &#228;&#xE4;"), "Tom & Jerry <3 ää");
  EXPECT_EQ(tmx_text("Ein <bpt i='1'>&lt;b&gt;</bpt>Hund<ept i='1'>&lt;/b&gt;</ept>"), "Ein Hund");
  EXPECT_EQ(tmx_text("Ein <hi>alter</hi> <ph/>Hund"), "Ein alter Hund");
  EXPECT_EQ(tmx_text("<![CDATA[a < b & c]]> d"), "a < b & c d");
}

TEST(TmxText, JoinsLinesWithSpaces) { EXPECT_EQ(tmx_text("\n  Ein\n  Hund \t"), "Ein Hund"); }

TEST(TmxSource, ReadsTheLanguagesInAnyOrderWithTheLineOfTheUnit) {
  EXPECT_THAT(read_body("<tu tuid=\"1\">\n" + variant("en", "dog") + variant("fr", "chien") +
                        variant("de", "Hund") + "</tu>\n<tu>" + variant("DE-at", "Katze") +
                        variant("en_GB", "cat") + "</tu>"),
              ElementsAre("3:Hund|dog", "14:Katze|cat"));
}

TEST(TmxSource, TakesTheFirstVariantOfALanguage) {
  EXPECT_THAT(read_body("<tu>" + variant("de", "Hund") + variant("de", "Köter") +
                        variant("en", "dog") + "</tu>"),
              ElementsAre("3:Hund|dog"));
}

TEST(TmxSource, MarksUnitsWithoutBothLanguages) {
  EXPECT_THAT(read_body("<tu>" + variant("de", "Hund") + variant("den", "x") + "</tu>"),
              ElementsAre("!3:Hund x|"));
}

TEST(TmxSource, IgnoresComments) {
  EXPECT_THAT(read_body("<tu><!-- <tuv xml:lang=\"de\"><seg>no</seg></tuv> -->" +
                        variant("de", "Hund") + variant("en", "dog") + "</tu>"),
              ElementsAre("3:Hund|dog"));
}

TEST(TmxSource, TakesAVariantWithoutTextAsEmpty) {
  for (const std::string empty : {"<seg/>", "<seg></seg>", "", "<note>x</note>"})
    EXPECT_THAT(read_body("<tu><tuv xml:lang=\"de\">" + empty + "</tuv>" + variant("fr", "chien") +
                          variant("en", "dog") + "</tu>"),
                ElementsAre("3:|dog"))
        << empty;
  EXPECT_THAT(read_body("<tu><tuv xml:lang=\"de\"/>" + variant("en", "dog") + "</tu>"),
              ElementsAre("3:|dog"));
}

TEST(TmxSource, IgnoresUnitsAndEndsOfUnitsInComments) {
  const auto unit = "<tu>" + variant("de", "Hund") + variant("en", "dog") + "</tu>";
  const std::string long_text(200'000, 'x');
  EXPECT_THAT(read_body("<!-- " + unit + " -->" + unit + "<!--" + long_text + unit + "-->"),
              ElementsAre("9:Hund|dog"));
  EXPECT_THAT(
      read_body("<tu><!-- </tu> -->" + variant("de", "Hund") + variant("en", "dog") + "</tu>"),
      ElementsAre("3:Hund|dog"));
}

TEST(TmxSource, ReadsUnitsThatCrossItsBuffer) {
  std::string body;
  for (int i = 0; i < 3000; ++i)
    body += "<tu>" + variant("de", "Hund " + std::to_string(i)) +
            variant("en", "dog " + std::to_string(i)) + "</tu>\n";
  const auto found = read_body(body);
  ASSERT_EQ(found.size(), 3000U);
  for (int i = 0; i < 3000; ++i)
    EXPECT_THAT(found[static_cast<std::size_t>(i)],
                EndsWith(":Hund " + std::to_string(i) + "|dog " + std::to_string(i)));
}

TEST(TmxSource, ThrowsIfTheFileEndsWithinAUnit) {
  const TemporaryFolder folder;
  TmxSource source(folder.write("a.tmx", "<tmx>\n<tu>" + variant("de", "Hund")), "de", "en");
  CorpusPair pair;
  EXPECT_THAT(message_of<DataError>([&] { source.next(pair); }),
              HasSubstr("a.tmx:2: the file ends within a translation unit"));
}

TEST(TmxSource, ThrowsForUtf16) {
  const TemporaryFolder folder;
  const auto file = folder.write("a.tmx", std::string("\xFF\xFE<\0t\0m\0x\0", 10));
  EXPECT_TRUE(is_xml(file));
  TmxSource source(file, "de", "en");
  CorpusPair pair;
  EXPECT_THAT(message_of<DataError>([&] { source.next(pair); }), HasSubstr("is UTF-16"));
}

TEST(TmxSource, ReadsAnyTextOrThrowsDataError) {
  check_property([] {
    const auto body = *text_from({"<tu>",
                                  "</tu>",
                                  "<tuv xml:lang=\"de\">",
                                  "<tuv xml:lang='en'>",
                                  "</tuv>",
                                  "<seg>",
                                  "</seg>",
                                  "<",
                                  ">",
                                  "\"",
                                  "&amp;",
                                  "&",
                                  "<!--",
                                  "-->",
                                  "<![CDATA[",
                                  "]]>",
                                  "<ph",
                                  "/>",
                                  "x",
                                  "\n",
                                  "\xFF"});
    try {
      for (const auto& pair : read_body(body)) RC_ASSERT(!pair.empty());
    } catch (const DataError&) {
    }
  });
}

TEST(IsXml, LooksAtTheContent) {
  const TemporaryFolder folder;
  EXPECT_TRUE(is_xml(folder.write("a", "\xEF\xBB\xBF\n<?xml version=\"1.0\"?>")));
  EXPECT_TRUE(is_xml(folder.write("a", "<tmx version=\"1.4\">")));
  EXPECT_FALSE(is_xml(folder.write("a", "<b>Hund</b>\t<b>dog</b>\n")));
  EXPECT_FALSE(is_xml(folder.write("a", "")));
}

}  // namespace
}  // namespace tfm
