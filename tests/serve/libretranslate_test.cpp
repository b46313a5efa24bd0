#include "serve/libretranslate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"

namespace tfm {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(ReadLibretranslateRequest, ReadsAllParameters) {
  const auto request = read_libretranslate_request({{"q", {"a", "b"}},
                                                    {"source", "de"},
                                                    {"target", "en"},
                                                    {"format", "html"},
                                                    {"alternatives", 3},
                                                    {"api_key", ""}},
                                                   {});
  EXPECT_THAT(request.texts, ElementsAre("a", "b"));
  EXPECT_TRUE(request.is_list);
  EXPECT_EQ(request.source, "de");
  EXPECT_EQ(request.target, "en");
  EXPECT_EQ(request.format, TextFormat::html);
  EXPECT_EQ(request.alternatives, 3);
}

TEST(ReadLibretranslateRequest, ReadsOneTextOfAForm) {
  const auto request = read_libretranslate_request(
      {{"q", "a"}, {"source", "auto"}, {"target", "en"}, {"alternatives", "2"}}, {});
  EXPECT_THAT(request.texts, ElementsAre("a"));
  EXPECT_FALSE(request.is_list);
  EXPECT_EQ(request.format, TextFormat::text);
  EXPECT_EQ(request.alternatives, 2);
}

TEST(ReadLibretranslateRequest, RefusesWrongParameters) {
  struct Case {
    json fields;
    std::string message;
  };
  const json good = {{"q", "a"}, {"source", "de"}, {"target", "en"}};
  const auto with = [&](const char* name, json value) {
    auto fields = good;
    fields[name] = std::move(value);
    return fields;
  };
  for (const auto& [fields, message] : std::vector<Case>{
           {{}, "missing q parameter"},
           {with("q", nullptr), "missing q parameter"},
           {with("q", 1), "q is not a text"},
           {with("q", {"a", 1}), "q is not a text or a list of texts"},
           {with("q", json::object()), "q is not a text"},
           {with("source", nullptr), "missing source parameter"},
           {with("target", {"en"}), "target is not a text"},
           {with("format", "xml"), "format is neither"},
           {with("alternatives", -1), "alternatives is not a whole number"},
           {with("alternatives", "x"), "alternatives is not a whole number"},
           {with("alternatives", "9999999999999999999999"), "alternatives is not a whole number"},
           {with("alternatives", 1e99), "alternatives is not a whole number"},
           {with("words", "yes"), "words is neither true nor false"},
           {{{"q", "a"}, {"source", "de"}, {"target", "en"}, {"format", "html"}, {"words", true}},
            "words are those of the format text"},
       }) {
    try {
      read_libretranslate_request(fields, {});
      ADD_FAILURE() << fields;
    } catch (const HttpError& error) {
      EXPECT_EQ(error.status(), 400);
      EXPECT_THAT(error.what(), HasSubstr(message));
    }
  }
}

TEST(ReadLibretranslateRequest, RefusesTextsBeyondTheLimits) {
  ServeLimits limits;
  limits.texts = 2;
  limits.characters = 3;
  const auto status = [&](const json& q) {
    try {
      read_libretranslate_request({{"q", q}, {"source", "de"}, {"target", "en"}}, limits);
      return 200;
    } catch (const HttpError& error) {
      return error.status();
    }
  };
  EXPECT_EQ(status({"äöü", ""}), 200) << "characters are not bytes";
  EXPECT_EQ(status({"ab", "cd"}), 413);
  EXPECT_EQ(status({"", "", ""}), 413);
}

TEST(LibretranslateReply, HasTheFormOfTheRequest) {
  TranslateRequest request{.texts = {"a"}, .source = "de", .target = "en"};
  const TextTranslation one{{"A", "B", "C"}, std::nullopt, ""};
  EXPECT_EQ(json::parse(libretranslate_reply(request, {one}).body),
            json({{"translatedText", "A"}}));
  request.alternatives = 1;
  EXPECT_EQ(json::parse(libretranslate_reply(request, {one}).body),
            json({{"translatedText", "A"}, {"alternatives", {"B"}}}));
  request.is_list = true;
  request.source = "auto";
  const TextTranslation two{{"D"}, Detection{"de", 50}, ""};
  EXPECT_EQ(json::parse(libretranslate_reply(request, {two, two}).body),
            json({{"translatedText", {"D", "D"}},
                  {"alternatives", {json::array(), json::array()}},
                  {"detectedLanguage",
                   {{{"confidence", 50.0}, {"language", "de"}},
                    {{"confidence", 50.0}, {"language", "de"}}}}}));
  EXPECT_EQ(json::parse(libretranslate_reply(request, {}).body)["translatedText"], json::array());
}

/// A line that has fewer candidates than another has its last one in the further translations.
TEST(LibretranslateReply, HasTheWordsOfEachLineAndTranslation) {
  TranslateRequest request{.texts = {"das Haus\n\nja"},
                           .source = "de",
                           .target = "en",
                           .alternatives = 1,
                           .details = {.words = true}};
  TextTranslation translation{{"the house\n\nyes", "a house\n\nyes"}, std::nullopt, ""};
  translation.lines = {
      {"das Haus",
       {.candidates = {"the house", "a house"},
        .words = {{{"the", 0.5, 0}, {"house", 1, 1}}, {{"a", 0.25, -1}, {"house", 1, 1}}}}},
      {"ja", {.candidates = {"yes"}, .words = {{{"yes", 0.99996, 0}}}, .segments = 2}}};
  const auto body = json::parse(libretranslate_reply(request, {translation}).body);
  EXPECT_EQ(body["words"], json::parse(R"([
      {"source": ["das", "Haus"], "segments": 1,
       "translations": [[{"text": "the", "probability": 0.5, "source": 0},
                         {"text": "house", "probability": 1.0, "source": 1}],
                        [{"text": "a", "probability": 0.25, "source": null},
                         {"text": "house", "probability": 1.0, "source": 1}]]},
      {"source": ["ja"], "segments": 2,
       "translations": [[{"text": "yes", "probability": 1.0, "source": 0}],
                        [{"text": "yes", "probability": 1.0, "source": 0}]]}])"));
  request.is_list = true;
  EXPECT_EQ(json::parse(libretranslate_reply(request, {translation}).body)["words"][0],
            body["words"]);
}

TEST(LibretranslateReply, NamesTheLanguageBetween) {
  TranslateRequest request{.texts = {"a"}, .source = "de", .target = "fr"};
  const TextTranslation direct{{"A"}, std::nullopt, ""};
  const TextTranslation pivoted{{"B"}, std::nullopt, "en"};
  EXPECT_EQ(json::parse(libretranslate_reply(request, {pivoted}).body),
            json({{"translatedText", "B"}, {"pivot", "en"}}));
  request.is_list = true;
  EXPECT_EQ(json::parse(libretranslate_reply(request, {direct, pivoted}).body)["pivot"],
            json({"", "en"}));
}

TEST(LanguagesReply, ListsSourcesWithTheirTargets) {
  const LanguageRouter router({{"de", "en"}, {"de", "fr"}, {"en", "de"}});
  EXPECT_EQ(json::parse(languages_reply(router).body),
            json::parse(R"([{"code":"de","name":"German","targets":["en","fr"]},
                            {"code":"en","name":"English","targets":["de"]},
                            {"code":"fr","name":"French","targets":[]}])"));
}

TEST(SettingsReply, NamesTheFirstPairAndTheLimit) {
  const auto settings = json::parse(
      settings_reply(LanguageRouter({LanguagePair{"de", "en"}}), {}, {.keys = true}).body);
  EXPECT_EQ(settings["keyRequired"], true);
  EXPECT_EQ(settings["charLimit"], ServeLimits().characters);
  EXPECT_EQ(settings["bodyLimit"], ServeLimits().body_bytes);
  EXPECT_EQ(settings["language"]["target"], json({{"code", "en"}, {"name", "English"}}));
}

}  // namespace
}  // namespace tfm
