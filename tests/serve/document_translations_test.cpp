#include "serve/document_translations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <nlohmann/json.hpp>

#include "captured_log.h"
#include "gated_lane.h"
#include "tfm/core/error.h"
#include "tfm/serve/service.h"

namespace tfm {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// A service for de to en, whose translations are the texts in brackets.
class FileTranslationTest : public testing::Test {
 protected:
  HttpReply send(const HttpRequest& request) {
    auto promise = std::make_shared<std::promise<HttpReply>>();
    service().handle(request, [promise](HttpReply reply) { promise->set_value(std::move(reply)); });
    return promise->get_future().get();
  }
  HttpReply get(const std::string& target) {
    return send({.method = "GET", .target = target, .headers = {}, .body = ""});
  }
  HttpReply post(const std::string& name, const std::string& bytes,
                 const std::map<std::string, std::string>& fields = {{"source", "de"},
                                                                     {"target", "en"}}) {
    std::string body;
    for (const auto& [field, value] : fields)
      body +=
          "--x\r\nContent-Disposition: form-data; name=\"" + field + "\"\r\n\r\n" + value + "\r\n";
    body += "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + name +
            "\"\r\n\r\n" + bytes + "\r\n--x--\r\n";
    return send({.method = "POST",
                 .target = options.url_prefix + "/translate_file",
                 .headers = {{"content-type", "multipart/form-data; boundary=x"},
                             {"host", "example.org:5000"}},
                 .body = body,
                 .is_encrypted = is_encrypted});
  }
  /// Returns the path of the translated file.
  std::string translated(const std::string& name, const std::string& bytes) {
    const auto reply = post(name, bytes);
    EXPECT_EQ(reply.status, 200) << reply.body;
    const auto address = json::parse(reply.body)["translatedFileUrl"].get<std::string>();
    const std::string host = "http://example.org:5000";
    EXPECT_EQ(address.substr(0, host.size()), host);
    return address.substr(host.size());
  }
  TranslationService& service() {
    if (!service_)
      service_ = std::make_unique<TranslationService>(models, engine, metrics, options,
                                                      [] { return false; });
    return *service_;
  }

  bool is_encrypted = false;  // the connection of post
  GatedLane text{true};
  GatedLane html{true};
  GatedLane closed;  // until a test opens it
  std::shared_ptr<const ServedModels> models = std::make_shared<const ServedModels>(
      std::vector<ServedModel>{{{"de", "en"}, text.lane(), html.lane(), ""}});
  ServiceMetrics metrics;
  Engine engine{EngineOptions{}};
  ServiceOptions options;  // of the service, which the first request makes

 private:
  std::unique_ptr<TranslationService> service_;
};

TEST_F(FileTranslationTest, NamesAnEncryptedAddressOnAnEncryptedConnection) {
  is_encrypted = true;
  EXPECT_THAT(post("a.txt", "one\n").body, HasSubstr("https://example.org:5000/download_file/"));
}

TEST_F(FileTranslationTest, ReturnsADocumentUnchangedThatIsInTheTargetLanguage) {
  const auto reply = post("a.txt", "one\n\ntwo & 3\n", {{"source", "en"}, {"target", "en"}});
  ASSERT_EQ(reply.status, 200) << reply.body;
  const auto address = json::parse(reply.body)["translatedFileUrl"].get<std::string>();
  EXPECT_EQ(get(address.substr(address.find("/download_file"))).body, "one\n\ntwo & 3\n");
}

TEST_F(FileTranslationTest, TranslatesAFileAndOffersItForDownload) {
  const auto path = translated("a/b ä.txt", "one\n\ntwo & 3\n");
  EXPECT_THAT(path, testing::MatchesRegex("/download_file/[0-9a-f]+[.]txt"));
  const auto file = get(path);
  EXPECT_EQ(file.status, 200);
  EXPECT_EQ(file.body, "[one]\n\n[two & 3]\n");
  EXPECT_EQ(file.content_type, "text/plain");
  EXPECT_THAT(file.headers, testing::Contains(testing::Pair("Content-Disposition",
                                                            "attachment; filename=\"b____en.txt\"; "
                                                            "filename*=UTF-8''b%20%C3%A4_en.txt")));
  EXPECT_THAT(file.headers, testing::Contains(testing::Pair("Content-Security-Policy",
                                                            "default-src 'none'; sandbox")));
  EXPECT_EQ(get(path + "x").status, 404);
  EXPECT_EQ(get("/download_file/").status, 404);
  EXPECT_EQ(get("/download_file").status, 404);
  EXPECT_EQ(metrics.characters(), 14) << "one, two &amp; 3";
}

TEST_F(FileTranslationTest, AnswersErrorsWithTheirReason) {
  EXPECT_EQ(post("a.doc", "x").status, 400);
  EXPECT_THAT(post("a.doc", "x").body, HasSubstr(".docx"));
  EXPECT_THAT(post("a.docx", "x").body, HasSubstr("a.docx: is not a complete zip archive"));
  EXPECT_EQ(post("a.json", "{").status, 400);
  EXPECT_EQ(post("a.txt", "x", {{"source", "de"}, {"target", "es"}}).status, 400);
  EXPECT_EQ(post("a.txt", "x", {{"source", "de"}}).status, 400);
  EXPECT_EQ(post("a.txt", "fail").status, 500);
  EXPECT_EQ(post("a.txt", "a", {{"source", "auto"}, {"target", "en"}}).status, 200);
  EXPECT_EQ(post("a.txt", "42\n").status, 200) << "no segment";
}

/// The engine logs why a translation fails. An error of the model is not one of the file.
TEST_F(FileTranslationTest, Answers500IfTheModelFails) {
  const auto broken = std::make_shared<Lane>(
      [](const auto&) -> LineTranslation { throw ModelError("a", "b", "c"); });
  models = std::make_shared<const ServedModels>(
      std::vector<ServedModel>{{{"de", "en"}, broken, broken, ""}});
  const CapturedLog log;
  const auto reply = post("a.txt", "x");
  EXPECT_EQ(reply.status, 500);
  EXPECT_THAT(reply.body, HasSubstr("the log of the service has the cause"));
  EXPECT_THAT(log.text(), HasSubstr("a translation failed: a: b"));
  EXPECT_THAT(log.text(), testing::Not(HasSubstr("/translate_file"))) << "logged twice";
}

TEST_F(FileTranslationTest, LimitsCharactersAndKeptFiles) {
  options.limits.characters = 10;
  options.limits.files = 1;
  EXPECT_EQ(post("a.txt", "more than ten").status, 413);
  const auto first = translated("a.txt", "a");
  const auto second = translated("a.txt", "b");
  EXPECT_EQ(get(first).status, 404);
  EXPECT_EQ(get(second).body, "[b]");
}

TEST_F(FileTranslationTest, AsksForTheKeyToTranslateButNotToDownload) {
  options.url_prefix = "/mt";
  options.access.keys = {{"secret", std::nullopt}};
  EXPECT_EQ(post("a.txt", "a").status, 400);
  const auto reply =
      post("a.txt", "a", {{"source", "de"}, {"target", "en"}, {"api_key", "secret"}});
  ASSERT_EQ(reply.status, 200);
  const auto address = json::parse(reply.body)["translatedFileUrl"].get<std::string>();
  EXPECT_EQ(get(address.substr(address.find("/mt"))).body, "[a]");
}

TEST_F(FileTranslationTest, DropsTheLinesOfARequestThatIsCancelled) {
  models = std::make_shared<const ServedModels>(
      std::vector<ServedModel>{{{"de", "en"}, closed.lane(), closed.lane(), ""}});
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += "a\n";
  const std::string body =
      json{{"file", lines}, {"file_name", "a.txt"}, {"source", "de"}, {"target", "en"}}.dump();
  const auto cancel =
      service().handle({.method = "POST", .target = "/translate_file", .headers = {}, .body = body},
                       [](const HttpReply&) {});
  closed.wait_for_lines(1);
  EXPECT_GT(engine.waiting(), 0U);
  cancel();
  EXPECT_EQ(engine.waiting(), 0U);
  closed.open();
}

TEST_F(FileTranslationTest, ListsTheFormats) {
  const auto settings = json::parse(get("/frontend/settings").body);
  EXPECT_EQ(settings["filesTranslation"], true);
  EXPECT_THAT(settings["supportedFilesFormat"], testing::Contains(".docx"));
}

}  // namespace
}  // namespace tfm
