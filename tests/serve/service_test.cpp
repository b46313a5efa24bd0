#include "tfm/serve/service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <nlohmann/json.hpp>

#include "gated_lane.h"

namespace tfm {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// A service for de to en and en to de. Its translations are the texts in brackets.
class TranslationServiceTest : public testing::Test {
 protected:
  std::future<HttpReply> send(const HttpRequest& request) {
    auto promise = std::make_shared<std::promise<HttpReply>>();
    cancel = service.handle(request,
                            [promise](HttpReply reply) { promise->set_value(std::move(reply)); });
    return promise->get_future();
  }
  HttpReply get(const std::string& target, const std::string& method = "GET") {
    return send({.method = method, .target = target, .headers = {}, .body = ""}).get();
  }
  HttpReply post(const std::string& target, const json& body) {
    return send({.method = "POST", .target = target, .headers = {}, .body = body.dump()}).get();
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
  Engine engine{{text.lane(), html.lane(), back.lane(), back.lane()}, EngineOptions{}};
  bool stopping = false;
  TranslationService service{LanguageRouter({{"de", "en"}, {"en", "de"}}), engine, ServeLimits{},
                             [this] { return stopping; }};
  CancelRequest cancel;
};

TEST_F(TranslationServiceTest, TranslatesATextOrAList) {
  EXPECT_EQ(translate({{"q", "a"}}), json({{"translatedText", "[a]"}}));
  EXPECT_EQ(translate({{"q", {"a", "", "b\nc\n"}}}),
            json({{"translatedText", {"[a]", "", "[b]\n[c]\n"}}}));
  EXPECT_EQ(translate({{"q", json::array()}}), json({{"translatedText", json::array()}}));
}

TEST_F(TranslationServiceTest, UsesTheLaneOfTheModelAndFormat) {
  translate({{"q", "<p>a</p>b"}, {"format", "html"}});
  EXPECT_EQ(html.wait_for_batches(1)[0], (GatedLane::Batch{"a", "b"}));
  translate({{"q", "c"}, {"source", "en"}, {"target", "de"}});
  EXPECT_EQ(back.wait_for_batches(1)[0], GatedLane::Batch{"c"});
}

TEST_F(TranslationServiceTest, AddsTheDetectedLanguage) {
  const auto reply = translate({{"q", {"123"}}, {"source", "auto"}});
  EXPECT_EQ(reply["detectedLanguage"], json::parse(R"([{"confidence": 0.0, "language": "de"}])"))
      << "nothing suggests a language";
}

TEST_F(TranslationServiceTest, AnswersErrorsWithTheirStatus) {
  const json request = {{"q", "a"}, {"source", "de"}, {"target", "fr"}};
  const auto unsupported = post("/translate", request);
  EXPECT_EQ(unsupported.status, 400);
  EXPECT_EQ(json::parse(unsupported.body)["error"],
            "de to fr is not supported; the models translate de to en, en to de");
  EXPECT_EQ(post("/translate", {{"q", "fail"}, {"source", "de"}, {"target", "en"}}).status, 500);
  EXPECT_EQ(post("/translate", json::array()).status, 400);
  EXPECT_EQ(post("/detect", {{"x", "a"}}).status, 400);
  EXPECT_EQ(get("/none").status, 404);
  EXPECT_EQ(get("/languages/").status, 404);
  const auto wrong_method = get("/translate");
  EXPECT_EQ(wrong_method.status, 405);
  EXPECT_EQ(wrong_method.headers, (decltype(wrong_method.headers){{"Allow", "POST"}}));
}

TEST_F(TranslationServiceTest, AnswersQuestionsAboutItself) {
  EXPECT_EQ(json::parse(get("/languages?x=1").body).size(), 2U);
  EXPECT_EQ(get("/languages", "HEAD").status, 200);
  EXPECT_THAT(get("/frontend/settings").body, HasSubstr("charLimit"));
  EXPECT_EQ(json::parse(post("/detect", {{"q", "1"}}).body)[0]["confidence"], 0.0);
  EXPECT_EQ(get("/health").status, 200);
  EXPECT_EQ(get("/ready").status, 200);
  stopping = true;
  EXPECT_EQ(get("/ready").status, 503);
  EXPECT_EQ(get("/health").status, 200);
}

TEST_F(TranslationServiceTest, CancelsARequest) {
  GatedLane gate;
  Engine slow({gate.lane(), gate.lane()},
              EngineOptions{.workers = 1, .batch_lines = 1, .waiting_lines = 10, .delay = 0});
  const TranslationService other(LanguageRouter({LanguagePair{"de", "en"}}), slow, {},
                                 [] { return false; });
  const json body = {{"q", {"a", "b", "c"}}, {"source", "de"}, {"target", "en"}};
  const auto stop =
      other.handle({.method = "POST", .target = "/translate", .headers = {}, .body = body.dump()},
                   [](const HttpReply&) {});
  gate.wait_for_batches(1);
  EXPECT_EQ(slow.waiting(), 2U);
  stop();
  EXPECT_EQ(slow.waiting(), 0U);
  gate.open();
}

}  // namespace
}  // namespace tfm
