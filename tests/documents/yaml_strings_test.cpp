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
