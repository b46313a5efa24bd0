#include "serve/attention_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace tfm {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

json fields_with(const char* name, json value) {
  json fields = {{"q", "Haus"}, {"translation", "house"}, {"source", "de"}, {"target", "en"}};
  fields[name] = std::move(value);
  return fields;
}

/// Returns the status and the message of the error for a request.
std::pair<int, std::string> refusal(const json& fields, const ServeLimits& limits = {}) {
  try {
    read_attention_request(fields, limits);
  } catch (const HttpError& error) {
    return {error.status(), error.what()};
  }
  return {200, ""};
}

TEST(ReadAttentionRequest, ReadsALineAndItsTranslation) {
  const auto request = read_attention_request(fields_with("x", 1), {});
  EXPECT_THAT(request.texts, ElementsAre("Haus"));
  EXPECT_EQ(request.source, "de");
  EXPECT_EQ(request.target, "en");
  EXPECT_EQ(request.details, (LineDetails{.attention_target = "house"}));
}

TEST(ReadAttentionRequest, RefusesWhatIsNotALineWithATranslation) {
  for (const auto& [fields, message] : std::vector<std::pair<json, std::string>>{
           {fields_with("q", ""), "q is empty"},
           {fields_with("q", "a\nb"), "q has several lines"},
           {fields_with("q", {"a", "b"}), "q is not a text"},
           {fields_with("translation", nullptr), "missing translation parameter"},
           {fields_with("translation", ""), "translation is empty"},
           {fields_with("translation", "a\rb"), "translation has several lines"},
           {fields_with("translation", 1), "translation is not a text"},
           {fields_with("target", nullptr), "missing target parameter"}}) {
    const auto [status, text] = refusal(fields);
    EXPECT_EQ(status, 400) << fields;
    EXPECT_THAT(text, HasSubstr(message));
  }
}

TEST(ReadAttentionRequest, LimitsTheCharactersOfBothTogether) {
  ServeLimits limits;
  limits.texts = 1;
  limits.characters = 6;
  EXPECT_EQ(refusal(fields_with("translation", "ab"), limits).first, 200);
  EXPECT_EQ(refusal(fields_with("translation", "abc"), limits).first, 413);
}

TEST(AttentionReply, IsTheAttentionOrTheReasonWhyThereIsNone) {
  TextTranslation translation{{"house"}, std::nullopt, ""};
  EXPECT_EQ(attention_reply({}, {translation}).status, 404) << "no model has translated the text";
  translation.lines.push_back({"Haus", {.candidates = {"house"}, .attention = "{}"}});
  EXPECT_EQ(attention_reply({}, {translation}).body, "{}");
}

}  // namespace
}  // namespace tfm
