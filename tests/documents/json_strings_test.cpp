#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample_documents.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;

constexpr auto json = DocumentFormat::json;

TEST(JsonStrings, TranslatesValuesAndKeepsKeysOrderAndLayout) {
  const std::string text =
      "{ \"b\" : \"one {name}\",\n\t\"a\":[ \"two\\n\\\"three\\\"\\n\", 1.50, true, null ],\n"
      "  \"url\": \"https://example.org\", \"mail\": \"me@example.org\", \"n\": \"42\",\n"
      "  \"\\u00e4\": { \"x\": \"<b>\\u00e4 &amp; b</b>\" } }\n";
  EXPECT_THAT(segments_of(text, json),
              ElementsAre("one {name}", "two", "\"three\"", "<b>ä &amp;amp; b</b>"));
  EXPECT_EQ(repeat(text, json), text);
  EXPECT_EQ(shout(text, json),
            "{ \"b\" : \"ONE {NAME}\",\n\t\"a\":[ \"TWO\\n\\\"THREE\\\"\\n\", 1.50, true, null ],\n"
            "  \"url\": \"https://example.org\", \"mail\": \"me@example.org\", \"n\": \"42\",\n"
            "  \"\\u00e4\": { \"x\": \"<b>ä &AMP; B</b>\" } }\n");
}

TEST(JsonStrings, NamesTheLineOfAnError) {
  try {
    segments_of("{\n\"a\": \"b\",\n}", json);
    FAIL();
  } catch (const DataError& error) {
    EXPECT_EQ(error.where(), "sample:3");
  }
  EXPECT_THROW(segments_of("", json), DataError);
  EXPECT_THROW(segments_of(std::string("1\0a\"b", 5), json), DataError);
  EXPECT_THROW(segments_of("{\"a\": \"b\"} \"c\"", json), DataError);
}

TEST(JsonStrings, ReadsDeepNesting) {
  const std::string text = std::string(100'000, '[') + "\"a\"" + std::string(100'000, ']');
  EXPECT_THAT(segments_of(text, json), ElementsAre("a"));
}

}  // namespace
}  // namespace tfm
