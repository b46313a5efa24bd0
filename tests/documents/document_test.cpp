#include "tfm/documents/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
