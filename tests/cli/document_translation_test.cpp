#include "cli/document_translation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::HasSubstr;

class OpenDocument : public testing::Test {
 protected:
  /// Returns the message of the ConfigError, or an empty text.
  std::string refusal() const {
    try {
      open_document(options);
      return {};
    } catch (const ConfigError& error) {
      return error.what();
    }
  }

  TemporaryFolder folder;
  TranslateOptions options;
};

TEST_F(OpenDocument, ReadsTheDocumentOfTheOptions) {
  EXPECT_EQ(open_document(options), nullptr);
  options.document = folder.write("a.md", "# one\n");
  options.output = "b.markdown";
  EXPECT_THAT(open_document(options)->segments(), testing::ElementsAre("one"));
  options.output = "-";
  EXPECT_NE(open_document(options), nullptr);
  options.document = folder.path("missing.md");
  EXPECT_THROW(open_document(options), DataError);
}

TEST_F(OpenDocument, RefusesOptionsThatContradictIt) {
  options.document = folder.write("a.md", "# one\n");
  EXPECT_THAT(refusal(), HasSubstr("-o FILE"));
  options.output = "b.txt";
  EXPECT_THAT(refusal(), HasSubstr("b.txt has another ending than the document"));
  options.output = "b.md";
  EXPECT_EQ(refusal(), "");
  options.mark_fuzzy = true;
  EXPECT_THAT(refusal(), HasSubstr("--mark-fuzzy"));
  options.mark_fuzzy = false;
  const auto with = [&](const auto& change) {
    const auto before = options;
    change();
    auto message = refusal();
    options = before;
    return message;
  };
  EXPECT_THAT(with([&] { options.texts = {"x"}; }), HasSubstr("combined with text arguments"));
  EXPECT_THAT(with([&] { options.input = "x"; }), HasSubstr("combined with --input"));
  EXPECT_THAT(with([&] { options.resume = true; }), HasSubstr("combined with --resume"));
  EXPECT_THAT(with([&] { options.format = OutputFormat::jsonl; }), HasSubstr("with --format"));
  EXPECT_THAT(with([&] { options.explain = true; }), HasSubstr("combined with --explain"));
  EXPECT_THAT(with([&] { options.prefixes = "x"; }), HasSubstr("with --target-prefix-file"));
  EXPECT_THAT(with([&] { options.document = "a.doc"; }), HasSubstr(".docx"));
  EXPECT_THAT(with([&] {
                options.document.clear();
                options.mark_fuzzy = true;
              }),
              HasSubstr("--mark-fuzzy"));
}

}  // namespace
}  // namespace tfm
