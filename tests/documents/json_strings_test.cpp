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

TEST(JsonStrings, AcceptsNumbersOfAnySizeAndNothingElseAsNumbers) {
  for (const auto& number :
       std::vector<std::string>{"1e400", "-1E-400", std::string(400, '9') + ".5e+1", "0", "-0.0"}) {
    const auto text = "{\"a\": \"b 1e400\", \"c\": [" + number + "]}";
    EXPECT_EQ(shout(text, json), "{\"a\": \"B 1E400\", \"c\": [" + number + "]}");
  }
  for (const std::string text : {"01", "1.", ".5", "-", "+1", "1e", "2.5.5", "1-2", "1 2", "--1",
                                 "1e5.5", "0x1", "1e+", "nan", "\"a", "\"a\\"})
    EXPECT_THROW(segments_of("[\n" + text + "]", json), DataError) << text;
}

TEST(JsonStrings, ReadsDeepNesting) {
  const std::string text = std::string(100'000, '[') + "\"a\"" + std::string(100'000, ']');
  EXPECT_THAT(segments_of(text, json), ElementsAre("a"));
}

}  // namespace
}  // namespace tfm
