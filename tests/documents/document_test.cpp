#include "tfm/documents/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "sample_documents.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

TEST(DocumentFormat, IsKnownFromTheEnding) {
  EXPECT_EQ(document_format("a/b.DOCX"), DocumentFormat::docx);
  EXPECT_EQ(document_format("b.tar.md"), DocumentFormat::markdown);
  EXPECT_EQ(document_format("b.doc"), std::nullopt);
  EXPECT_EQ(document_format("docx"), std::nullopt);
  for (const auto& [ending, format] : document_endings())
    EXPECT_EQ(document_format("x" + std::string(ending)), format);
}

TEST(ReadDocument, RefusesTextThatIsNotUtf8WithTheLine) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      segments_of(text, DocumentFormat::txt);
      return "";
    } catch (const DataError& error) {
      return std::string(error.summary());
    }
  };
  EXPECT_EQ(refusal("a\nb\xFF\n"), "sample:2: is not valid UTF-8");
  EXPECT_EQ(refusal("\xFF\xFE"
                    "a"),
            "sample: is UTF-16, not UTF-8");
  EXPECT_EQ(refusal(make_zip({{"a", "b"}})), "sample: is an archive, not text");
  EXPECT_EQ(refusal(""), "");
}

TEST(ReadDocument, KeepsAByteOrderMarkApartFromTheText) {
  const auto shout_marked = [](const std::string& text, DocumentFormat format) {
    return shout("\xEF\xBB\xBF" + text, format);
  };
  const std::vector<std::tuple<DocumentFormat, std::string, std::string>> documents{
      {DocumentFormat::txt, "a\n", "A\n"},
      {DocumentFormat::html, "a<p>b", "A<p>B"},
      {DocumentFormat::srt, "0:01 --> 0:02\na\n", "0:01 --> 0:02\nA\n"},
      {DocumentFormat::vtt, "WEBVTT\n\n0:01 --> 0:02\na\n", "WEBVTT\n\n0:01 --> 0:02\nA\n"},
      {DocumentFormat::markdown, "# a\n", "# A\n"},
      {DocumentFormat::markdown, "```\na\n```\n", "```\na\n```\n"},
      {DocumentFormat::markdown, "---\na: b\n---\nc\n", "---\na: b\n---\nC\n"},
      {DocumentFormat::po, "msgid \"a\"\nmsgstr \"\"\n", "msgid \"a\"\nmsgstr \"A\"\n"},
      {DocumentFormat::json, "[\"a\"]", "[\"A\"]"},
      {DocumentFormat::yaml, "a: b\n", "a: B\n"}};
  for (const auto& [format, text, translated] : documents)
    EXPECT_EQ(shout_marked(text, format), "\xEF\xBB\xBF" + translated);
}

TEST(ReadDocument, GivesAnEmptyDocumentBack) {
  for (const auto format :
       {DocumentFormat::txt, DocumentFormat::srt, DocumentFormat::vtt, DocumentFormat::markdown,
        DocumentFormat::html, DocumentFormat::po, DocumentFormat::yaml}) {
    EXPECT_TRUE(segments_of("", format).empty());
    EXPECT_EQ(repeat("\n\n", format), "\n\n");
  }
}

}  // namespace
}  // namespace tfm
