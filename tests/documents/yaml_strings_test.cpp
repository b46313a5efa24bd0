#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include "sample_documents.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;

constexpr auto yaml = DocumentFormat::yaml;

std::string shout_yaml(const std::string& text) { return shout(text, yaml); }

TEST(YamlStrings, TranslatesValuesAndKeepsTheRest) {
  const std::string text =
      "# comment: x\ntitle: A house  # comment\nyes: true\nempty:\nnumber: 0x1F\ndate: 2001-12-14\n"
      "list:\n  - one two\n  - 'it''s'\n  - \"say \\\"hi\\\"\\n\"\n  - *x\n"
      "flow: {a: b c, \"d\": [e, ~, 3]}\n? complex\n: value\n";
  EXPECT_THROW(segments_of(text, yaml), DataError);  // *x has no anchor
  const auto valid = std::string(text).replace(text.find("*x"), 2, "~ ");
  EXPECT_THAT(segments_of(valid, yaml),
              ElementsAre("A house", "one two", "it's", "say \"hi\"", "b c", "e", "value"));
  EXPECT_EQ(repeat(valid, yaml), valid);
  EXPECT_EQ(shout_yaml(valid),
            "# comment: x\ntitle: A HOUSE  # comment\nyes: true\nempty:\nnumber: 0x1F\n"
            "date: 2001-12-14\nlist:\n  - ONE TWO\n  - 'IT''S'\n  - \"SAY \\\"HI\\\"\\n\"\n  - ~ \n"
            "flow: {a: B C, \"d\": [E, ~, 3]}\n? complex\n: VALUE\n");
}

TEST(YamlStrings, TranslatesLinesOfBlocks) {
  const std::string text =
      "a: |\n  one\n    two\n\n  three\nb: >-\n  four\n  five\n\n  six\nc:\n- |2\n     x\n   y\nd: "
      "e\n";
  EXPECT_THAT(segments_of(text, yaml),
              ElementsAre("one", "two", "three", "four five", "six", "x", "y", "e"));
  EXPECT_EQ(shout_yaml(text),
            "a: |\n  ONE\n    TWO\n\n  THREE\nb: >-\n  FOUR FIVE\n\n  SIX\nc:\n- |2\n     X\n   "
            "Y\nd: E\n");
}

TEST(YamlStrings, ReadsPlainTextOfSeveralLinesTagsAndAnchors) {
  EXPECT_EQ(shout_yaml("a: one\n  two\n  three\nb: &x !!str four\nc: *x\nd: !int five\n"),
            "a: ONE TWO THREE\nb: &x !!str FOUR\nc: *x\nd: !int five\n");
  EXPECT_EQ(shout_yaml("\xEF\xBB\xBF"
                       "a: \"\xC3\xA4 b\"\nc: d\n"),
            "\xEF\xBB\xBF"
            "a: \"\xC3\xA4 B\"\nc: D\n");
  EXPECT_EQ(shout_yaml("- '''a'' b'\n- c\n"), "- '''A'' B'\n- C\n");
  EXPECT_EQ(shout_yaml("a: b\r\nc: d e\r\n---\r\nf: g\r\n"), "a: B\r\nc: D E\r\n---\r\nf: G\r\n");
}

TEST(YamlStrings, QuotesTranslationsThatWouldBeSomethingElse) {
  for (const std::string translation :
       {"true", "a: b", "a #b", "- a", "", "42", "[a]", "a:", "null", "it's \"x\"", "% a"}) {
    for (const std::string style : {"k: x\n", "k: 'x'\n", "k: \"x\"\n", "[k, {l: x}]\n"}) {
      const auto document = read_document(style, document_options(yaml));
      std::vector<std::string> translations(document->segments().size(), translation);
      const auto root = YAML::Load(document->with_translations(translations));
      const auto value = root.IsMap() ? root["k"] : root[1]["l"];
      EXPECT_EQ(value.as<std::string>(), translation) << style;
      if (translation == "42" || translation == "true") {
        EXPECT_EQ(value.Tag(), "!") << style;
      }
    }
  }
}

TEST(YamlStrings, ReadsEachEscapeAsItsCharacter) {
  const std::string text = R"(["\u00e4\_b \N c", "d \L e \P f", "\_", "\"\\_"])";
  EXPECT_THAT(segments_of(text, yaml),
              ElementsAre("\u00e4\u00a0b \u0085 c", "d \u2028 e \u2029 f"));
  EXPECT_EQ(shout_yaml(text),
            "[\"\u00e4\u00a0B \\x85 C\", \"D \\u2028 E \\u2029 F\", \"\\_\", \"\\\"\\\\_\"]");
  EXPECT_EQ(repeat(text, yaml), text);
}

TEST(YamlStrings, TranslatesTextThatOnlyResemblesANumberOrADate) {
  EXPECT_EQ(shout_yaml("- 2 boote\n- 5 tote\n- 1 foto\n- 3 b\n- 0xyz\n- 0x1f\n- 1e-3\n- .inf\n"
                       "- 2001-12-14t21:59:43.10-05:00\n"),
            "- 2 BOOTE\n- 5 TOTE\n- 1 FOTO\n- 3 B\n- 0XYZ\n- 0x1f\n- 1e-3\n- .inf\n"
            "- 2001-12-14t21:59:43.10-05:00\n");
}

TEST(YamlStrings, KeepsLinesOfFoldedBlocksThatAreIndentedMore) {
  const std::string text =
      "a: >\n  list\n  of:\n    * one\n    * two\n  three\n  four\nb: >2\n    five\n    six\n  "
      "seven\n  \teight\n  nine\n";
  EXPECT_THAT(segments_of(text, yaml), ElementsAre("list of:", "* one", "* two", "three four",
                                                   "five", "six", "seven", "eight", "nine"));
  EXPECT_EQ(shout_yaml(text),
            "a: >\n  LIST OF:\n    * ONE\n    * TWO\n  THREE FOUR\nb: >2\n    FIVE\n    SIX\n  "
            "SEVEN\n  \tEIGHT\n  NINE\n");
}

TEST(YamlStrings, ReadsBlocksAfterTagsAndAnchorsInSequences) {
  const std::string text =
      "\xEF\xBB\xBF"
      "- &x |-\n  one\n  two\n- !!str  >  # comment\n  three\n  four\n- - !int &y |\n    5 a\n"
      "  - ! &z |1\n     six\n- *x\n- a: \"- &x |\n    - seven\"\n  b:\n  - &w |\r\n    eight\n- "
      "nine\n";
  EXPECT_THAT(segments_of(text, yaml), ElementsAre("one", "two", "three four", "six",
                                                   "- &amp;x | - seven", "eight", "nine"));
  EXPECT_EQ(shout_yaml(text),
            "\xEF\xBB\xBF"
            "- &x |-\n  ONE\n  TWO\n- !!str  >  # comment\n  THREE FOUR\n- - !int &y |\n    5 a\n"
            "  - ! &z |1\n     SIX\n- *x\n- a: \"- &X | - SEVEN\"\n  b:\n  - &w |\r\n    EIGHT\n"
            "- NINE\n");
  EXPECT_THROW(segments_of("- &x |-\n  a\n- *y\n", yaml), DataError);
}

TEST(YamlStrings, NamesTheLineOfAnError) {
  const std::string nuls(8, '\0');  // yaml-cpp alone would find documents after the first forever
  EXPECT_THROW(segments_of("1," + nuls + R"("one\n", 2], "b)" + nuls + "}", yaml), DataError);
  try {
    segments_of("a: b\nc: [d\n", yaml);
    FAIL();
  } catch (const DataError& error) {
    EXPECT_THAT(std::string(error.where()), testing::StartsWith("sample:"));
  }
}

}  // namespace
}  // namespace tfm
