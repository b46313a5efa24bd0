#include "tfm/serve/service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <map>
#include <nlohmann/json.hpp>

#include "gated_lane.h"
#include "temporary_folder.h"
#include "tfm/corpus/languages.h"

namespace tfm {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::shared_ptr<const ServedModels> models_of(const std::vector<ServedModel>& models) {
  return std::make_shared<const ServedModels>(models);
}

/// A service for de to en, en to de and, by both of the others, de to fr. Its translations are the
/// texts in brackets.
class TranslationServiceTest : public testing::Test {
 protected:
  std::future<HttpReply> send(const HttpRequest& request) {
    auto promise = std::make_shared<std::promise<HttpReply>>();
    if (!service)
      service = std::make_unique<TranslationService>(models, engine, metrics, options,
                                                     [this] { return stopping; });
    cancel = service->handle(request,
                             [promise](HttpReply reply) { promise->set_value(std::move(reply)); });
    return promise->get_future();
  }
  HttpReply get(const std::string& target, const std::string& method = "GET") {
    return send({.method = method, .target = target, .headers = {}, .body = ""}).get();
  }
  HttpReply post(const std::string& target, const json& body,
                 std::map<std::string, std::string> headers = {}) {
    return send({.method = "POST",
                 .target = target,
                 .headers = std::move(headers),
                 .body = body.dump()})
        .get();
  }
  json translate(json body) {
    body.emplace("source", "de");
    body.emplace("target", "en");
    const auto reply = post("/translate", body);
    EXPECT_EQ(reply.status, 200) << reply.body;
    return json::parse(reply.body);
  }

  GatedLane text{true};
  GatedLane html{true};
  GatedLane back{true};
  GatedLane french{true};
  std::shared_ptr<const ServedModels> models =
      models_of({{{"de", "en"}, text.lane(), html.lane(), ""},
                 {{"en", "de"}, back.lane(), back.lane(), ""},
                 {{"en", "fr"}, french.lane(), french.lane(), ""}});
  ServiceMetrics metrics;
  Engine engine{EngineOptions{}};
  ServiceOptions options;  // of the service, which the first request makes
  bool stopping = false;
  std::unique_ptr<TranslationService> service;
  CancelRequest cancel;
};

const json translate_a = {{"q", "a"}, {"source", "de"}, {"target", "en"}};

std::string header_of(const HttpReply& reply, std::string_view name) {
  const auto found = std::ranges::find(reply.headers, name, [](const auto& h) { return h.first; });
  return found == reply.headers.end() ? "" : found->second;
}

TEST_F(TranslationServiceTest, TranslatesATextOrAList) {
  EXPECT_EQ(translate({{"q", "a"}}), json({{"translatedText", "[a]"}}));
  EXPECT_EQ(translate({{"q", {"a", "", "b\nc\n"}}}),
            json({{"translatedText", {"[a]", "", "[b]\n[c]\n"}}}));
  EXPECT_EQ(translate({{"q", json::array()}}), json({{"translatedText", json::array()}}));
}

TEST_F(TranslationServiceTest, UsesTheLaneOfTheModelAndFormat) {
  translate({{"q", "<p>a</p>b"}, {"format", "html"}});
  EXPECT_EQ(html.wait_for_lines(2), (std::vector<std::string>{"a", "b"}));
  translate({{"q", "c"}, {"source", "en"}, {"target", "de"}});
  EXPECT_EQ(back.wait_for_lines(1)[0], "c");
}

TEST_F(TranslationServiceTest, AddsTheDetectedLanguage) {
  const auto reply = translate({{"q", {"123"}}, {"source", "auto"}});
  EXPECT_EQ(reply["detectedLanguage"], json::parse(R"([{"confidence": 0.0, "language": "de"}])"))
      << "nothing suggests a language";
}

TEST_F(TranslationServiceTest, AssumesASourceThatIsTranslatedIntoTheTarget) {
  const auto reply = translate({{"q", "123"}, {"source", "auto"}, {"target", "de"}});
  EXPECT_EQ(reply["detectedLanguage"]["language"], "en") << "no model translates de to de";
  EXPECT_EQ(reply["translatedText"], "[123]");
}

TEST_F(TranslationServiceTest, ReturnsATextThatIsInTheTargetLanguageUnchanged) {
  if (!can_identify_languages()) GTEST_SKIP() << "built without CLD2";
  const std::string english = "Two young men are outside near many bushes.\n";
  const auto reply = translate({{"q", {english, "Zwei junge Männer sind im Freien."}},
                                {"source", "auto"},
                                {"target", "en"},
                                {"alternatives", 1}});
  EXPECT_EQ(reply["translatedText"], json({english, "[Zwei junge Männer sind im Freien.]"}));
  EXPECT_EQ(reply["detectedLanguage"][0]["language"], "en");
  EXPECT_EQ(reply["alternatives"], json({json::array(), json::array()}));
  const json deepl = {{"text", {english}}, {"target_lang", "EN-GB"}};
  EXPECT_EQ(json::parse(post("/v2/translate", deepl).body)["translations"][0],
            json({{"detected_source_language", "EN"}, {"text", english}}));
}

TEST_F(TranslationServiceTest, ReturnsATextUnchangedIfSourceAndTargetAreOneLanguage) {
  EXPECT_EQ(translate({{"q", "<p>a"}, {"source", "fr"}, {"target", "fr"}, {"format", "html"}}),
            json({{"translatedText", "<p>a"}}));
  EXPECT_EQ(post("/translate", {{"q", "a"}, {"source", "es"}, {"target", "es"}}).status, 400)
      << "no model knows es";
}

TEST_F(TranslationServiceTest, GivesLinesTheTagOfTheirPair) {
  models = std::make_shared<const ServedModels>(
      make_served_models({{{"de", "en"}, {"<2en>"}}, {{"de", "fr"}, {"<2fr>"}}},
                         {.text = text.lane(), .html = html.lane()}));
  EXPECT_EQ(translate({{"q", "a"}})["translatedText"], "[<2en>a]");
  EXPECT_EQ(translate({{"q", "a"}, {"target", "fr"}})["translatedText"], "[<2fr>a]");
  const json deepl = {{"text", "a"}, {"source_lang", "DE"}, {"target_lang", "FR"}};
  EXPECT_EQ(json::parse(post("/v2/translate", deepl).body)["translations"][0]["text"], "[<2fr>a]");
  EXPECT_EQ(json::parse(get("/languages").body)[0]["targets"], json({"en", "fr"}));
}

TEST_F(TranslationServiceTest, AnswersErrorsWithTheirStatus) {
  const json request = {{"q", "a"}, {"source", "de"}, {"target", "es"}};
  const auto unsupported = post("/translate", request);
  EXPECT_EQ(unsupported.status, 400);
  EXPECT_EQ(
      json::parse(unsupported.body)["error"],
      "de to es is not supported; the models translate de to en, en to de, en to fr, de to fr");
  for (const char* source : {"de", "auto"}) {
    const json nothing = {{"q", json::array()}, {"source", source}, {"target", "es"}};
    EXPECT_EQ(post("/translate", nothing).status, 400) << source;
  }
  EXPECT_EQ(post("/translate", {{"q", "fail"}, {"source", "de"}, {"target", "en"}}).status, 500);
  EXPECT_EQ(post("/translate", json::array()).status, 400);
  EXPECT_EQ(post("/detect", {{"x", "a"}}).status, 400);
  EXPECT_EQ(get("/none").status, 404);
  EXPECT_EQ(get("/languages/").status, 404);
  const auto wrong_method = get("/translate");
  EXPECT_EQ(wrong_method.status, 405);
  EXPECT_EQ(header_of(wrong_method, "Allow"), "POST, OPTIONS");
}

TEST_F(TranslationServiceTest, AnswersQuestionsAboutItself) {
  EXPECT_EQ(json::parse(get("/languages?x=1").body).size(), 3U);
  EXPECT_EQ(get("/languages", "HEAD").status, 200);
  EXPECT_THAT(get("/frontend/settings").body, HasSubstr("charLimit"));
  EXPECT_EQ(json::parse(post("/detect", {{"q", "1"}}).body)[0]["confidence"], 0.0);
  EXPECT_EQ(get("/health").status, 200);
  EXPECT_EQ(get("/ready").status, 200);
  stopping = true;
  EXPECT_EQ(get("/ready").status, 503);
  EXPECT_EQ(get("/health").status, 200);
}

TEST_F(TranslationServiceTest, TranslatesWithTwoModelsOneAfterTheOther) {
  EXPECT_EQ(translate({{"q", "a"}, {"target", "fr"}}),
            json({{"translatedText", "[[a]]"}, {"pivot", "en"}}));
}

TEST_F(TranslationServiceTest, AnswersClientsOfDeepl) {
  const json body = {{"text", {"a", "b"}}, {"source_lang", "DE"}, {"target_lang", "EN-US"}};
  const auto reply = post("/v2/translate", body, {{"authorization", "DeepL-Auth-Key x"}});
  EXPECT_EQ(json::parse(reply.body)["translations"][1]["text"], "[b]");
  EXPECT_EQ(json::parse(get("/v2/languages?type=target").body)[0]["language"], "EN");
  EXPECT_EQ(json::parse(get("/v2/usage").body)["character_count"], 2);
  EXPECT_EQ(json::parse(post("/v2/translate", {{"text", "a"}}).body)["message"],
            "Invalid request: missing target_lang parameter");
}

const json suggestion = {{"q", "a"}, {"s", "b"}, {"source", "de"}, {"target", "en"}};

TEST_F(TranslationServiceTest, RefusesSuggestionsByDefault) {
  const auto reply = post("/suggest", suggestion);
  EXPECT_EQ(reply.status, 403);
  EXPECT_EQ(json::parse(reply.body)["error"], "Suggestions are disabled on this server.");
  EXPECT_EQ(json::parse(get("/frontend/settings").body)["suggestions"], false);
}

TEST_F(TranslationServiceTest, KeepsSuggestionsInAFile) {
  const TemporaryFolder folder;
  options.suggestions = folder.path("suggestions");
  options.limits.suggestion_bytes = 100;
  EXPECT_EQ(json::parse(post("/suggest", suggestion).body), json({{"success", true}}));
  EXPECT_EQ(json::parse(get("/frontend/settings").body)["suggestions"], true);
  EXPECT_EQ(json::parse(folder.read("suggestions")), suggestion);
  auto wrong = suggestion;
  wrong["target"] = "es";
  EXPECT_EQ(post("/suggest", wrong).status, 400);
  wrong = suggestion;
  wrong.erase("s");
  EXPECT_EQ(post("/suggest", wrong).status, 400);
  wrong["s"] = std::string(60'000, 'a');
  EXPECT_EQ(post("/suggest", wrong).status, 413);
  EXPECT_EQ(post("/suggest", suggestion).status, 200);
  EXPECT_EQ(post("/suggest", suggestion).status, 507) << "the file is full";
}

TEST_F(TranslationServiceTest, TakesAKeyFromAParameterOrAHeader) {
  options.access.keys = {{"alpha", 4}};
  EXPECT_EQ(post("/translate", translate_a).status, 400);
  auto with_key = translate_a;
  with_key["api_key"] = "alpha";
  EXPECT_EQ(post("/translate", with_key).status, 200);
  EXPECT_EQ(post("/translate", translate_a, {{"authorization", "Bearer alpha"}}).status, 200);
  EXPECT_EQ(post("/translate", translate_a, {{"authorization", "Bearer beta"}}).status, 403);
  const std::map<std::string, std::string> deepl{{"authorization", "DeepL-Auth-Key alpha"}};
  const json body = {{"text", "a"}, {"target_lang", "EN"}};
  EXPECT_EQ(post("/v2/translate", body, deepl).status, 200);
  EXPECT_EQ(post("/v2/translate", body, deepl).status, 200);
  const auto limited = post("/v2/translate", body, deepl);
  EXPECT_EQ(limited.status, 429);
  EXPECT_EQ(json::parse(limited.body)["message"], "Slowdown: 4 per 1 minute");
  EXPECT_EQ(header_of(limited, "Retry-After"), "15");
  EXPECT_EQ(get("/languages").status, 200) << "it needs no key";
}

TEST_F(TranslationServiceTest, ServesPathsWithThePrefix) {
  options.url_prefix = "/mt";
  EXPECT_EQ(get("/mt/languages").status, 200);
  EXPECT_EQ(get("/languages").status, 404);
  EXPECT_EQ(get("/mtx").status, 404);
  EXPECT_EQ(json::parse(get("/mt/spec").body)["servers"][0]["url"], "/mt");
}

TEST_F(TranslationServiceTest, AllowsPagesOfTheNamedOrigin) {
  options.allowed_origin = "https://example.org";
  const auto preflight = get("/translate", "OPTIONS");
  EXPECT_EQ(preflight.status, 204);
  EXPECT_EQ(header_of(preflight, "Access-Control-Allow-Origin"), "https://example.org");
  EXPECT_EQ(header_of(preflight, "Access-Control-Allow-Methods"), "POST, OPTIONS");
  const auto reply = post("/translate", translate_a);
  EXPECT_EQ(header_of(reply, "Access-Control-Allow-Origin"), "https://example.org");
  EXPECT_EQ(header_of(get("/none"), "Access-Control-Allow-Origin"), "https://example.org")
      << "a page must be able to read the error";
}

TEST_F(TranslationServiceTest, AllowsNoOtherOriginByDefault) {
  EXPECT_EQ(header_of(post("/translate", translate_a), "Access-Control-Allow-Origin"), "");
}

TEST_F(TranslationServiceTest, DescribesItsPages) {
  const auto spec = json::parse(get("/spec").body);
  for (const auto& [path, page] : spec["paths"].items()) {
    for (const auto& [method, operation] : page.items())
      EXPECT_NE(get(path, method == "get" ? "GET" : "POST").status, 404) << path;
  }
  for (const char* path : {"/translate", "/detect", "/v2/translate", "/ready", "/metrics"})
    EXPECT_TRUE(spec["paths"].contains(path)) << path;
  const auto form = spec["paths"]["/translate_file"]["post"]["requestBody"]["content"].begin();
  EXPECT_THAT(form.value()["encoding"]["file"]["contentType"], HasSubstr("text/html, text/"));
}

/// The schema says which pairs exist, as /languages does, and that a text may stay as it is.
TEST_F(TranslationServiceTest, DescribesItsLanguagePairs) {
  const auto spec = json::parse(get("/spec").body);
  const auto languages = json::parse(get("/languages").body);
  for (const auto& [path, type] : std::vector<std::pair<std::string, std::string>>{
           {"/translate", "application/json"},
           {"/translate", "application/x-www-form-urlencoded"},
           {"/translate_file", "multipart/form-data"}}) {
    const auto& content = spec["paths"][path]["post"]["requestBody"]["content"];
    const auto& pairs = content[type]["schema"]["anyOf"];
    for (const auto& language : languages) {
      auto targets = language["targets"];
      targets.push_back(language["code"]);
      const auto pair =
          json{{"properties",
                {{"source", {{"enum", {language["code"]}}}}, {"target", {{"enum", targets}}}}}};
      EXPECT_THAT(pairs, testing::Contains(pair)) << path << " " << type;
    }
    EXPECT_EQ(pairs.size(), languages.size() + 1) << "and detection";
  }
}

TEST_F(TranslationServiceTest, CountsWhatItDoes) {
  translate({{"q", "äb"}});
  get("/x/y");
  const auto metrics_text = get("/metrics").body;
  EXPECT_THAT(metrics_text, HasSubstr(R"(tfm_requests_total{route="/translate",status="200"} 1)"));
  EXPECT_THAT(metrics_text, HasSubstr(R"(tfm_requests_total{route="other",status="404"} 1)"));
  EXPECT_THAT(metrics_text, HasSubstr("tfm_characters_total 2\n"));
}

TEST_F(TranslationServiceTest, ServesLaterRequestsWithOtherModels) {
  EXPECT_EQ(translate({{"q", "a"}})["translatedText"], "[a]");
  service->replace(models_of({{{"it", "en"}, text.lane(), html.lane(), ""}}));
  EXPECT_EQ(post("/translate", translate_a).status, 400);
  EXPECT_EQ(translate({{"q", "a"}, {"source", "it"}})["translatedText"], "[a]");
}

TEST_F(TranslationServiceTest, FinishesARequestWithTheModelsThatItBeganWith) {
  GatedLane gate;
  models = models_of({{{"de", "en"}, gate.lane(), gate.lane(), ""}});
  auto reply =
      send({.method = "POST", .target = "/translate", .headers = {}, .body = translate_a.dump()});
  gate.wait_for_lines(1);
  service->replace(models_of({{{"de", "en"}, back.lane(), back.lane(), ""}}));
  models.reset();
  gate.open();
  EXPECT_EQ(reply.get().status, 200);
}

TEST_F(TranslationServiceTest, MayEndBeforeTheEngineHasTranslatedARequest) {
  GatedLane gate;
  options.allowed_origin = "https://example.org";
  models = models_of({{{"de", "en"}, gate.lane(), gate.lane(), ""}});
  auto reply =
      send({.method = "POST", .target = "/translate", .headers = {}, .body = translate_a.dump()});
  gate.wait_for_lines(1);
  service.reset();
  gate.open();
  EXPECT_EQ(header_of(reply.get(), "Access-Control-Allow-Origin"), "https://example.org");
}

TEST_F(TranslationServiceTest, CancelsARequest) {
  GatedLane gate;
  Engine slow(EngineOptions{.workers = 1, .waiting_lines = 10});
  TranslationService other(models_of({{{"de", "en"}, gate.lane(), gate.lane(), ""}}), slow, metrics,
                           {}, [] { return false; });
  const json body = {{"q", {"a", "b", "c"}}, {"source", "de"}, {"target", "en"}};
  const auto stop =
      other.handle({.method = "POST", .target = "/translate", .headers = {}, .body = body.dump()},
                   [](const HttpReply&) {});
  gate.wait_for_lines(1);
  EXPECT_EQ(slow.waiting(), 2U);
  stop();
  EXPECT_EQ(slow.waiting(), 0U);
  gate.open();
}

}  // namespace
}  // namespace tfm
