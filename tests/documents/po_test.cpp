#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample_documents.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string header =
    "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\n";

std::string shout_po(const std::string& text) { return shout(text, DocumentFormat::po); }

TEST(Po, FillsTranslationsAndKeepsEverythingElse) {
  const std::string text =
      header +
      "#. a comment\n#: src/a.c:1\n#, c-format\nmsgctxt \"menu\"\n"
      "msgid \"Open %s & close\"\nmsgstr \"\"\n\n"
      "msgid \"done\"\nmsgstr \"fertig\"\n\n#~ msgid \"old\"\n#~ msgstr \"\"\n";
  EXPECT_THAT(segments_of(text, DocumentFormat::po), ElementsAre("Open %s &amp; close"));
  auto expected = text;
  expected.replace(text.find("close\"\nmsgstr \"\"") + 14, 2, "\"OPEN %S & CLOSE\"");
  EXPECT_EQ(shout_po(text), expected);
}

TEST(Po, FillsEachPluralForm) {
  EXPECT_EQ(shout_po(header + "msgid \"%d file\"\nmsgid_plural \"%d files\"\n"
                              "msgstr[0] \"\"\nmsgstr[1] \"\"\nmsgstr[2] \"\"\n"),
            header +
                "msgid \"%d file\"\nmsgid_plural \"%d files\"\n"
                "msgstr[0] \"%D FILE\"\nmsgstr[1] \"%D FILES\"\nmsgstr[2] \"%D FILES\"\n");
}

TEST(Po, ReadsEscapesAndWrappedStrings) {
  const std::string text =
      header + "msgid \"\"\n\"one \\\"two\\\" \"\n\"three\\n\"\n\"four\\t\\\\\"\nmsgstr \"\"\n";
  EXPECT_THAT(segments_of(text, DocumentFormat::po), ElementsAre("one \"two\" three", "four\t\\"));
  EXPECT_EQ(shout_po(text).substr(text.size() - 3),
            "\"\"\n\"ONE \\\"TWO\\\" THREE\\n\"\n\"FOUR\\t\\\\\"\n");
  const std::string words(100, 'a');
  const auto wrapped = shout_po(header + "msgid \"" + words + " b " + words + "\"\nmsgstr \"\"\n");
  EXPECT_THAT(wrapped, HasSubstr("msgstr \"\"\n\"" + std::string(100, 'A') + " \"\n\"B \"\n\"" +
                                 std::string(100, 'A') + "\"\n"));
}

TEST(Po, TranslatesFuzzyEntriesAnewAndMarksNewOnesOnDemand) {
  const std::string text = header +
                           "#, fuzzy\nmsgid \"a\"\nmsgstr \"guess\"\n\n"
                           "msgid \"b\"\nmsgstr \"\"\n\n#, c-format\nmsgid \"c\"\nmsgstr \"\"\n";
  auto options = document_options(DocumentFormat::po);
  EXPECT_EQ(shout(text, options),
            header +
                "#, fuzzy\nmsgid \"a\"\nmsgstr \"A\"\n\n"
                "msgid \"b\"\nmsgstr \"B\"\n\n#, c-format\nmsgid \"c\"\nmsgstr \"C\"\n");
  options.mark_fuzzy = true;
  EXPECT_EQ(shout(text, options),
            header +
                "#, fuzzy\nmsgid \"a\"\nmsgstr \"A\"\n\n#, fuzzy\nmsgid \"b\"\nmsgstr \"B\"\n\n"
                "#, fuzzy, c-format\nmsgid \"c\"\nmsgstr \"C\"\n");
}

TEST(Po, ReadsFlagsInSeveralLines) {
  for (const std::string flags : {"#, fuzzy\n#, c-format\n", "#, c-format\n#, fuzzy\n"}) {
    const auto text = header + flags + "msgid \"a\"\nmsgstr \"guess\"\n";
    EXPECT_EQ(shout_po(text), header + flags + "msgid \"a\"\nmsgstr \"A\"\n");
  }
}

TEST(Po, JoinsStringsInOneLine) {
  const auto text = header + "msgid \"one \" \"two\\\"\"\t\"\\\\\"\n\" three\"\nmsgstr \"\" \"\"\n";
  EXPECT_THAT(segments_of(text, DocumentFormat::po), ElementsAre("one two\"\\ three"));
  EXPECT_EQ(shout_po(text).substr(text.size() - 6), "\"ONE TWO\\\"\\\\ THREE\"\n");
}

TEST(Po, NamesTheLineOfAnError) {
  for (const std::string rest : {"\"a\" b", "\"a\" \"", "\"a\\\"", "a", "\"a\"b\"c\""})
    EXPECT_THROW(segments_of(header + "msgid " + rest + "\nmsgstr \"\"\n", DocumentFormat::po),
                 DataError)
        << rest;
  try {
    segments_of(header + "msgid \"a\nmsgstr \"\"\n", DocumentFormat::po);
    FAIL();
  } catch (const DataError& error) {
    EXPECT_EQ(error.where(), "sample:5");
  }
}

}  // namespace
}  // namespace tfm
