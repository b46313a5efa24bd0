#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample_documents.h"
#include "tfm/markup/markup.h"

namespace tfm {
namespace {

using testing::HasSubstr;

/// Translates each segment as a model would that makes "x y" of two words.
std::string translate_words(const std::string& bytes, DocumentFormat format) {
  const auto document = read_document(bytes, document_options(format));
  std::vector<std::string> translations;
  for (const auto& segment : document->segments())
    translations.push_back(MarkedText(segment).restore("x y", std::vector<std::int64_t>{0, 1}));
  return document->with_translations(translations);
}

struct PlaceholderSample {
  DocumentFormat format;
  std::string before;
  std::string after;
};

TEST(DocumentPlaceholders, ComeBackByteForByteInEachFormat) {
  const std::vector<PlaceholderSample> samples{
      {DocumentFormat::txt, "", "\n"},
      {DocumentFormat::markdown, "", "\n"},
      {DocumentFormat::po, "msgid \"q\"\nmsgstr \"q\"\n\nmsgid \"", "\"\nmsgstr \"\"\n"},
      {DocumentFormat::json, "{\"a\": \"", "\"}"},
      {DocumentFormat::yaml, "a: \"", "\"\n"},
      {DocumentFormat::yaml, "a: '", "'\n"},
      {DocumentFormat::srt, "1\n00:00:01,000 --> 00:00:02,000\n", "\n"},
      {DocumentFormat::html, "<p>", "</p>"}};
  for (const std::string form : {"%s",
                                 "%1$s",
                                 "%@",
                                 "%ld",
                                 "%%",
                                 "%(name)s",
                                 "%<name>s",
                                 "%{name}",
                                 "#{name}",
                                 "$name",
                                 "${name}",
                                 "{0}",
                                 "{name}",
                                 "{n, number}",
                                 "{{name}}",
                                 "{{ name }}",
                                 ":name",
                                 "https://example.org/a_b*c*d",
                                 "www.example.org",
                                 "me@example.org",
                                 "<me@example.org>"}) {
    for (const auto& sample : samples) {
      const auto text = sample.before + "vor " + form + " nach" + sample.after;
      EXPECT_THAT(translate_words(text, sample.format), HasSubstr("x " + form + " y")) << text;
    }
  }
  const std::string address = "https://example.org/?a=1&b=2";
  for (const auto format : {DocumentFormat::txt, DocumentFormat::markdown})
    EXPECT_EQ(translate_words("vor " + address + " nach", format), "x " + address + " y");
}

}  // namespace
}  // namespace tfm
