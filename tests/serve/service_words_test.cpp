#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <nlohmann/json.hpp>

#include "temporary_folder.h"
#include "tfm/serve/service.h"

namespace tfm {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// A service for de to en, en to fr and, by both models, de to fr. Its translations are the texts,
/// of one word, and its attention is empty.
class TranslationServiceWords : public testing::Test {
 protected:
  HttpReply post(const std::string& target, const json& body) {
    return send({.method = "POST", .target = target, .headers = {}, .body = body.dump()});
  }

  json spec() {
    return json::parse(send({.method = "GET", .target = "/spec", .headers = {}, .body = ""}).body);
  }

  ServiceOptions options;     // of the service, which the first request makes
  std::atomic<int> lines{0};  // that the models got

 private:
  HttpReply send(const HttpRequest& request) {
    if (!service_)
      service_ = std::make_unique<TranslationService>(models_, engine_, metrics_, options,
                                                      [] { return false; });
    std::promise<HttpReply> promise;
    service_->handle(request, [&promise](HttpReply reply) { promise.set_value(std::move(reply)); });
    return promise.get_future().get();
  }

  LanePointer lane_ = std::make_shared<Lane>([this](const LaneLine& line) {
    ++lines;
    return LineTranslation{.candidates = {line.text}, .words = {{{line.text}}}, .attention = "{}"};
  });
  std::shared_ptr<const ServedModels> models_ = std::make_shared<const ServedModels>(
      std::vector<ServedModel>{{{"de", "en"}, lane_, lane_, ""}, {{"en", "fr"}, lane_, lane_, ""}});
  ServiceMetrics metrics_;
  Engine engine_{EngineOptions{}};
  std::unique_ptr<TranslationService> service_;
};

json line_request() {
  return {{"q", "a"}, {"translation", "b"}, {"source", "de"}, {"target", "en"}};
}

TEST_F(TranslationServiceWords, NeedAKeyWhoseRequestsAreLimited) {
  options.access.keys = {{"alpha", 2}};
  auto with_key = line_request();
  with_key["api_key"] = "alpha";
  for (const char* page : {"/continuations", "/attention"}) {
    EXPECT_EQ(post(page, line_request()).status, 400) << page;
    EXPECT_EQ(post(page, with_key).status, 200) << page;
  }
  for (const char* page : {"/continuations", "/attention"})
    EXPECT_EQ(post(page, with_key).status, 429) << page;
}

TEST_F(TranslationServiceWords, AreRefusedForAttentionOfTwoModelsBeforeTheyWait) {
  auto request = line_request();
  request["target"] = "fr";
  const auto reply = post("/attention", request);
  EXPECT_EQ(reply.status, 400);
  EXPECT_THAT(reply.body, HasSubstr("two models translate one after the other"));
  EXPECT_EQ(lines, 0);
  EXPECT_EQ(post("/continuations", request).status, 200);
  EXPECT_EQ(lines, 2);
}

/// A line and its translation or prefix are one text.
TEST_F(TranslationServiceWords, ArePossibleIfARequestMayHaveOneText) {
  const TemporaryFolder folder;
  options.suggestions = folder.path("suggestions");
  options.limits.texts = 1;
  auto request = line_request();
  request["prefix"] = "a";
  request["s"] = "b";
  for (const char* page : {"/continuations", "/attention", "/suggest"})
    EXPECT_EQ(post(page, request).status, 200) << page;
}

/// The schema allows no text that the request then refuses for having several lines.
TEST_F(TranslationServiceWords, DescribeWhichTextsAreOneLine) {
  for (const auto& [page, name] :
       std::vector<std::pair<std::string, std::string>>{{"/continuations", "q"},
                                                        {"/continuations", "prefix"},
                                                        {"/attention", "q"},
                                                        {"/attention", "translation"}}) {
    auto request = line_request();
    request[name] = "a\nb";
    EXPECT_EQ(post(page, request).status, 400) << page << " " << name;
    const auto content = spec()["paths"][page]["post"]["requestBody"]["content"];
    for (const auto& [type, form] : content.items())
      EXPECT_EQ(form["schema"]["properties"][name]["pattern"], R"(^[^\r\n]*$)") << page << type;
  }
}

}  // namespace
}  // namespace tfm
