#include "serve/deepl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tfm {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(ReadDeeplRequest, ReadsTextsAndLanguages) {
  const auto request = read_deepl_request({{"text", {"a", "b"}},
                                           {"source_lang", "DE"},
                                           {"target_lang", "EN-US"},
                                           {"tag_handling", "html"},
                                           {"formality", "prefer_more"},
                                           {"context", "c"}},
                                          {});
  EXPECT_THAT(request.texts, ElementsAre("a", "b"));
  EXPECT_EQ(request.source, "de");
  EXPECT_EQ(request.target, "en-us");
  EXPECT_EQ(request.format, TextFormat::html);
}

TEST(ReadDeeplRequest, DetectsTheSourceIfItIsMissing) {
  const auto request = read_deepl_request({{"text", {"a"}}, {"target_lang", "EN"}}, {});
  EXPECT_TRUE(request.detects_source());
  EXPECT_EQ(request.format, TextFormat::text);
}

TEST(ReadDeeplRequest, RefusesWhatTheServiceCannotDo) {
  const auto message = [](const char* name, json value) {
    json fields = {{"text", {"a"}}, {"target_lang", "EN"}};
    fields[name] = std::move(value);
    try {
      read_deepl_request(fields, {});
      return std::string("accepted");
    } catch (const HttpError& error) {
      EXPECT_EQ(error.status(), 400);
      return std::string(error.what());
    }
  };
  EXPECT_THAT(message("text", nullptr), HasSubstr("missing text parameter"));
  EXPECT_THAT(message("target_lang", nullptr), HasSubstr("missing target_lang parameter"));
  EXPECT_THAT(message("tag_handling", "rtf"), HasSubstr("tag_handling is neither"));
  EXPECT_THAT(message("formality", "more"), HasSubstr("formality is not supported"));
  EXPECT_THAT(message("glossary_id", "x"), HasSubstr("glossary_id is not supported"));
}

TEST(ShowsBilledCharacters, ReadsJsonAndForms) {
  const auto shows = [](const json& value) {
    return shows_billed_characters({{"show_billed_characters", value}});
  };
  EXPECT_FALSE(shows_billed_characters(json::object()));
  for (const auto& yes : {json(true), json("true"), json("1")}) EXPECT_TRUE(shows(yes)) << yes;
  for (const auto& no : {json(false), json("false"), json("0"), json()}) EXPECT_FALSE(shows(no));
  EXPECT_THROW(shows("yes"), HttpError);
  EXPECT_THROW(shows(1), HttpError);
}

TEST(DeeplReply, HasTheSourceLanguageInCapitals) {
  const TranslateRequest request{.texts = {"äb", "c"}, .source = "de", .target = "en"};
  const std::vector<TextTranslation> translations{{{"A", "B"}, std::nullopt, ""},
                                                  {{"C"}, Detection{"fr", 90}, ""}};
  EXPECT_EQ(json::parse(deepl_reply(request, translations, true).body),
            json::parse(R"({"translations": [
              {"detected_source_language": "DE", "text": "A", "billed_characters": 2},
              {"detected_source_language": "FR", "text": "C", "billed_characters": 1}]})"));
  EXPECT_EQ(json::parse(deepl_reply(request, translations, false).body)["translations"][1],
            json({{"detected_source_language", "FR"}, {"text", "C"}}));
}

TEST(DeeplLanguagesReply, ListsSourcesOrTargets) {
  const LanguageRouter router({{"de", "en"}, {"fr", "en"}});
  const auto list = [&](const json& fields) {
    return json::parse(deepl_languages_reply(router, fields).body);
  };
  EXPECT_EQ(list(json::object()), json::parse(R"([{"language": "DE", "name": "German"},
                                                  {"language": "FR", "name": "French"}])"));
  EXPECT_EQ(list({{"type", "target"}}),
            json::parse(R"([{"language": "EN", "name": "English", "supports_formality": false}])"));
  EXPECT_THROW(list({{"type", "x"}}), HttpError);
}

}  // namespace
}  // namespace tfm
