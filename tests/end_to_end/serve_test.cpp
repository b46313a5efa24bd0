// Starts tfm serve on a small trained model, and talks to it as clients do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <random>
#include <regex>
#include <thread>

#include "http_client.h"
#include "running_service.h"
#include "small_translator.h"

namespace tfm {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using Lines = std::vector<std::string>;

struct Serve : TrainedSuite<Serve> {
  inline static const std::string command = train_small_translator;

  /// Returns the lines of standard output of tfm translate for these lines.
  static Lines translate(const Lines& lines) {
    std::string text;
    for (const auto& line : lines) text += line + "\n";
    place->folder.write("lines", text);
    const auto outcome = place->tfm("translate -q -m runs/small --reproducible -i lines");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    Lines translations;
    std::istringstream stream(outcome.out);
    for (std::string line; std::getline(stream, line);) translations.push_back(line);
    return translations;
  }
};

json request_for(const json& texts) { return {{"q", texts}, {"source", "de"}, {"target", "en"}}; }

const Lines sentences{"Ich trinke Kaffee.",
                      "Zwei Kaffee, bitte! Und dann ein Bier.",
                      " ",
                      "Wo ist der Bahnhof?",
                      "Ein \xE2\x80\xA8 Bier",
                      "\xF0\x9F\x91\x8D\xF0\x9F\x8F\xBD",
                      "Ich hätte gern einen Tee mit Zitrone, aber ohne Zucker.",
                      "Die Rechnung, bitte."};

TEST_F(Serve, TranslationsAreThoseOfTheTranslateCommand) {
  Service service(place->folder.path());
  HttpClient client(service.port());
  const auto expected = translate(sentences);
  const auto reply = client.post("/translate", request_for(sentences).dump());
  ASSERT_EQ(reply.status, 200) << reply.body;
  EXPECT_EQ(json::parse(reply.body)["translatedText"], json(expected));
  const auto form = client.post("/translate", "q=Ich+trinke+Kaffee.%0A%0A&source=auto&target=en",
                                "application/x-www-form-urlencoded");
  ASSERT_EQ(form.status, 200) << form.body;
  EXPECT_EQ(json::parse(form.body)["translatedText"], expected[0] + "\n\n");
  EXPECT_EQ(json::parse(form.body)["detectedLanguage"]["language"], "de");
}

/// Sends random lists of sentences for four clients at once. Returns how many of the 80 replies are
/// those that `expected` has.
int count_right_replies(const Service& service, const Lines& expected) {
  std::atomic<int> right{0};
  std::vector<std::thread> clients;
  for (unsigned number = 0; number < 4; ++number) {
    clients.emplace_back([&, number] {
      std::mt19937 random(number);
      HttpClient client(service.port());
      for (int i = 0; i < 20; ++i) {
        Lines texts;
        Lines answers;
        for (auto count = random() % 5; texts.size() <= count;) {
          const auto chosen = random() % sentences.size();
          texts.push_back(sentences[chosen]);
          answers.push_back(expected[chosen]);
        }
        const auto reply = client.post("/translate", request_for(texts).dump());
        if (reply.status == 200 && json::parse(reply.body)["translatedText"] == json(answers))
          ++right;
      }
    });
  }
  for (auto& client : clients) client.join();
  return right;
}

TEST_F(Serve, IdentifiesSingleWordsOfItsTrainingText) {
  Service service(place->folder.path());
  HttpClient client(service.port());
  for (const auto& [word, language] :
       std::map<std::string, std::string>{{"Bahnhof", "de"}, {"station", "en"}}) {
    const auto found = json::parse(client.post("/detect", json{{"q", word}}.dump()).body)[0];
    EXPECT_EQ(found["language"], language) << word;
    EXPECT_GT(found["confidence"], 80) << word;
  }
}

TEST_F(Serve, TranslationsDoNotDependOnOtherRequests) {
  const auto expected = translate(sentences);
  for (const char* options : {"--cache-bytes 0", "--cache-bytes 1000", ""}) {
    const Service service(place->folder.path(), options);
    EXPECT_EQ(count_right_replies(service, expected), 80) << options;
  }
}

TEST_F(Serve, RemembersTranslationsButNotThoseBySampling) {
  const std::map<std::string, std::string> remembered{
      {"", "\ntfm_cached_lines_total 1\n"},
      {"--sampling", "\ntfm_cached_lines_total 0\n"},
      {"--cache-bytes 0", "\ntfm_cached_lines_total 0\n"}};
  for (const auto& [options, count] : remembered) {
    const Service service(place->folder.path(), options);
    HttpClient client(service.port());
    for (int i = 0; i < 2; ++i)
      EXPECT_EQ(client.post("/translate", request_for("ein Bier").dump()).status, 200) << options;
    EXPECT_THAT(client.get("/metrics").body, HasSubstr(count)) << options;
  }
}

TEST_F(Serve, SurvivesRequestsThatNoClientShouldSend) {
  Service service(place->folder.path());
  const auto status = [&](const std::string& body, const std::string& type) {
    HttpClient client(service.port());
    return client.post("/translate", body, type).status;
  };
  const std::string json_type = "application/json";
  EXPECT_EQ(status(std::string(10'000, '['), json_type), 400);
  EXPECT_EQ(status("{\"q\":" + std::string(10'000, '{'), json_type), 400);
  EXPECT_EQ(status(std::string(4'000'000, 'a'), json_type), 413);
  EXPECT_EQ(status(request_for(std::string(60'000, 'a')).dump(), json_type), 413);
  EXPECT_EQ(status("{\"q\": \"\xff\"}", json_type), 400);
  EXPECT_EQ(status("q=%ff&source=de&target=en", "application/x-www-form-urlencoded"), 400);
  EXPECT_EQ(status(std::string("\0\0", 2), json_type), 400);
  EXPECT_EQ(status(request_for(std::string("Ein \0 Bier", 10)).dump(), json_type), 200);
  HttpClient hangs_up(service.port());
  hangs_up.send(HttpClient::post_request("/translate", request_for(sentences).dump()));
  hangs_up.close();
  EXPECT_EQ(status(request_for("Bier").dump(), json_type), 200);
  EXPECT_EQ(service.child().end_by(SIGTERM), 0) << service.read_log();
}

TEST_F(Serve, KeepsTheMarkupOfHtml) {
  Service service(place->folder.path());
  HttpClient client(service.port());
  auto request = request_for("<p>Ich trinke <b>Kaffee</b>.</p><script>a < b</script>");
  request["format"] = "html";
  const auto reply = client.post("/translate", request.dump());
  ASSERT_EQ(reply.status, 200) << reply.body;
  const std::string text = json::parse(reply.body)["translatedText"];
  EXPECT_THAT(text, testing::MatchesRegex("<p>.*<b>.*</b>.*</p><script>a < b</script>"));
}

TEST_F(Serve, OffersTheAlternativesOfTheSearch) {
  Service service(place->folder.path(), "--beam-size 4 --n-best 3");
  HttpClient client(service.port());
  auto request = request_for("Ich trinke Kaffee.");
  request["alternatives"] = 5;
  const auto reply = json::parse(client.post("/translate", request.dump()).body);
  EXPECT_EQ(reply["alternatives"].size(), 2U) << reply;
}

/// Clients send requests until the service refuses connections. Each request that the service has
/// received must be answered.
TEST_F(Serve, StopsUnderLoadWithoutLosingARequest) {
  Service service(place->folder.path());
  std::atomic<int> answered{0};
  std::atomic<int> lost{0};
  std::vector<std::thread> clients;
  for (int number = 0; number < 8; ++number) {
    clients.emplace_back([&] {
      for (bool is_refused = false; !is_refused;) {
        HttpClient client(service.port());
        is_refused = !client.is_connected();
        for (bool is_open = !is_refused; is_open;) {
          const auto reply = client.post("/translate", request_for(sentences).dump());
          ++(reply.status == 200 ? answered : lost);
          is_open =
              reply.status == 200 && reply.header.find("Connection: close") == std::string::npos;
        }
      }
    });
  }
  while (answered < 20 && lost == 0) std::this_thread::yield();
  EXPECT_EQ(service.child().end_by(SIGTERM), 0) << service.read_log();
  for (auto& client : clients) client.join();
  EXPECT_EQ(lost, 0);
  EXPECT_GE(answered, 20);
  EXPECT_THAT(service.read_log(), HasSubstr("stopping: "));
}

TEST_F(Serve, TranslatesWithTwoModelsOneAfterTheOther) {
  std::filesystem::copy(place->folder.path("runs/small"), place->folder.path("second"));
  auto config = place->folder.read("second/config.yaml");
  config = std::regex_replace(config, std::regex("source_language: .*"), "source_language: en");
  config = std::regex_replace(config, std::regex("target_language: .*"), "target_language: fr",
                              std::regex_constants::format_first_only);
  place->folder.write("second/config.yaml", config);
  Service service(place->folder.path(), "-m second");
  HttpClient client(service.port());
  auto request = request_for("Ich trinke Kaffee.");
  request["target"] = "fr";
  const auto reply = client.post("/translate", request.dump());
  ASSERT_EQ(reply.status, 200) << reply.body;
  const auto between = translate({"Ich trinke Kaffee."});
  EXPECT_EQ(json::parse(reply.body),
            json({{"translatedText", translate(between)[0]}, {"pivot", "en"}}));
}

/// Clients send requests while the folder of the model is replaced and damaged.
TEST_F(Serve, ReloadsItsModelsWithoutLosingARequest) {
  const auto folder = place->folder.path("served");
  std::filesystem::copy(place->folder.path("runs/small"), folder);
  Service service(place->folder.path(), "-m served", "");
  std::atomic<bool> stops{false};
  std::atomic<int> lost{0};
  std::thread load([&] {
    HttpClient client(service.port());
    while (!stops) lost += client.post("/translate", request_for("Bier").dump()).status != 200;
  });
  const auto has_language = [&](const std::string& language) {
    HttpClient client(service.port());
    return client.get("/languages").body.find('"' + language + '"') != std::string::npos;
  };
  const auto config = place->folder.read("served/config.yaml");
  const auto reload_and_wait_for = [&](const std::string& message) {
    service.child().send(SIGHUP);
    while (service.read_log().find(message) == std::string::npos)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  };
  reload_and_wait_for("reloaded: de to en");
  place->folder.write("served/config.yaml", "damaged: [");
  reload_and_wait_for("nothing was reloaded, and everything stays as it was: ");
  EXPECT_TRUE(has_language("de"));
  place->folder.write(
      "served/config.yaml",
      std::regex_replace(config, std::regex("target_language: .*"), "target_language: en-gb",
                         std::regex_constants::format_first_only));  // that of data
  reload_and_wait_for("reloaded: de to en-gb");
  EXPECT_TRUE(has_language("en-gb"));
  stops = true;
  load.join();
  EXPECT_EQ(lost, 0);
  EXPECT_EQ(service.child().end_by(SIGTERM), 0) << service.read_log();
}

TEST_F(Serve, AsksForKeysOfAFile) {
  place->folder.write("keys", "alpha 2\n");
  Service service(place->folder.path(), "--keys keys --url-prefix /mt");
  HttpClient client(service.port());
  auto request = request_for("Bier");
  EXPECT_EQ(client.post("/mt/translate", request.dump()).status, 400);
  request["api_key"] = "alpha";
  EXPECT_EQ(client.post("/mt/translate", request.dump()).status, 200);
  EXPECT_EQ(client.post("/mt/translate", request.dump()).status, 200);
  EXPECT_EQ(client.post("/mt/translate", request.dump()).status, 429);
  EXPECT_THAT(client.get("/mt/metrics").body, HasSubstr("status=\"429\"} 1"));
  place->folder.write("keys", "# none\n");
  const auto refused = place->tfm("serve -m runs/small --port 0 --keys keys");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("keys: the file has no key"));
  const auto prefix = place->tfm("serve -m runs/small --port 0 --url-prefix mt/");
  EXPECT_EQ(prefix.code, 2);
  EXPECT_THAT(prefix.err, HasSubstr("'mt/' is not a path such as /mt"));
}

TEST_F(Serve, RefusesModelsThatItCannotRoute) {
  std::filesystem::copy(place->folder.path("runs/small"), place->folder.path("unknown"));
  auto config = place->folder.read("unknown/config.yaml");
  config = std::regex_replace(config, std::regex("train\\.de"), "train.text");
  place->folder.write("unknown/config.yaml", config);
  const auto unknown = place->tfm("serve -m unknown --port 0");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("unknown/config.yaml: data.source_language is not set"));
  const auto twice = place->tfm("serve -m runs/small -m runs/small --port 0");
  EXPECT_EQ(twice.code, 2);
  EXPECT_THAT(twice.err, HasSubstr("two models translate de to en"));
  config = std::regex_replace(config, std::regex("source_language: .*"), "source_language: gsw");
  place->folder.write("unknown/config.yaml", config);
  Service service(place->folder.path(), "-m unknown");
  EXPECT_THAT(HttpClient(service.port()).get("/languages").body, HasSubstr("\"gsw\""));
}

}  // namespace
}  // namespace tfm
