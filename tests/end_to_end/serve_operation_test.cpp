// Operates tfm serve as its owner does: with a certificate, a log for machines, and a file of
// suggestions.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <thread>

#include "http_client.h"
#include "running_service.h"
#include "small_translator.h"
#include "tls_client.h"
#include "tls_files.h"

namespace tfm {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::string request = R"({"q": "ein geheimes Bier", "source": "de", "target": "en"})";

struct ServeOperation : TrainedSuite<ServeOperation> {
  inline static const std::string command = train_small_translator;

  /// Returns what curl writes to standard output, or an empty text if it fails.
  static std::string curl(const std::string& arguments) {
    const auto output = place->folder.path("curl.out").string();
    const auto code = std::system(("cd '" + place->folder.path().string() + "' && curl -sS " +
                                   arguments + " >'" + output + "' 2>curl.err")
                                      .c_str());
    return code == 0 ? place->folder.read("curl.out") : "";
  }
  static void wait_for(const Service& service, const std::string& message) {
    while (service.read_log().find(message) == std::string::npos)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
};

TEST_F(ServeOperation, EncryptsConnectionsOfCurl) {
  if (std::system("curl --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "curl is missing";
  write_certificate(place->folder.path(), "first");
  Service service(place->folder.path(), "--tls-cert first.pem --tls-key first.key");
  EXPECT_THAT(service.read_log(), HasSubstr("at https://127.0.0.1:"));
  const auto address = " https://localhost:" + std::to_string(service.port());
  place->folder.write("request", request);
  const auto reply = curl("--cacert first.pem -H 'Content-Type: application/json' -d @request" +
                          address + "/translate");
  EXPECT_TRUE(json::parse(reply).contains("translatedText")) << reply;
  EXPECT_EQ(curl("http://localhost:" + std::to_string(service.port()) + "/health"), "");
  EXPECT_EQ(curl(address + "/health"), "") << "nothing trusts the certificate";
  EXPECT_EQ(service.child().end_by(SIGTERM), 0) << service.read_log();
}

TEST_F(ServeOperation, TakesARenewedCertificateWithoutLosingARequest) {
  write_certificate(place->folder.path(), "server");
  const auto file = place->folder.path("server.pem");
  std::filesystem::copy_file(file, place->folder.path("former.pem"));
  Service service(place->folder.path(), "--tls-cert server.pem --tls-key server.key");
  TlsClient before(service.port(), file);
  EXPECT_EQ(before.post("/translate", request).status, 200);
  write_certificate(place->folder.path(), "server");
  service.child().send(SIGHUP);
  wait_for(service, "reloaded: ");
  EXPECT_TRUE(TlsClient(service.port(), file).is_encrypted());
  EXPECT_FALSE(TlsClient(service.port(), place->folder.path("former.pem")).is_encrypted());
  EXPECT_EQ(before.post("/translate", request).status, 200);
  place->folder.write("server.pem", "damaged");
  service.child().send(SIGHUP);
  wait_for(service, "server.pem: is not a certificate in PEM");
  EXPECT_EQ(before.get("/health").status, 200);
  EXPECT_EQ(service.child().end_by(SIGTERM), 0) << service.read_log();
}

TEST_F(ServeOperation, SaysWhatIsWrongWithACertificate) {
  write_certificate(place->folder.path(), "mine");
  write_certificate(place->folder.path(), "other");
  const auto run = [&](const std::string& options) {
    const auto outcome = place->tfm("serve -m runs/small --port 0 " + options);
    EXPECT_EQ(outcome.code, 2);
    return outcome.err;
  };
  EXPECT_THAT(run("--tls-cert mine.pem"), HasSubstr("--tls-key"));
  EXPECT_THAT(run("--tls-cert none.pem --tls-key mine.key"), HasSubstr("none.pem: "));
  EXPECT_THAT(run("--tls-cert mine.pem --tls-key other.key"),
              HasSubstr("other.key: the key is not that of the certificate mine.pem"));
}

TEST_F(ServeOperation, LogsAnObjectPerLineWithoutTexts) {
  place->folder.write("keys", "secret-key\n");
  Service service(place->folder.path(), "--log-format json -v --keys keys");
  HttpClient client(service.port());
  auto with_key = json::parse(request);
  with_key["api_key"] = "secret-key";
  EXPECT_EQ(client.post("/translate?q=secret-text", with_key.dump()).status, 200);
  EXPECT_EQ(service.child().end_by(SIGTERM), 0);
  const auto log = service.read_log();
  EXPECT_THAT(log, testing::Not(testing::ContainsRegex("secret|geheim")));
  std::istringstream lines(log);
  std::vector<json> replies;
  for (std::string line; std::getline(lines, line);) {
    const auto object = json::parse(line);
    EXPECT_TRUE(object.contains("time") && object.contains("level")) << line;
    if (object.contains("status")) replies.push_back(object);
  }
  ASSERT_EQ(replies.size(), 1U) << log;
  EXPECT_EQ(replies[0]["method"], "POST");
  EXPECT_EQ(replies[0]["path"], "/translate");
  EXPECT_EQ(replies[0]["status"], 200);
  EXPECT_GT(replies[0]["milliseconds"], 0);
}

/// As with `tfm serve 2>&1 | logger`, if logger is started again.
TEST_F(ServeOperation, OutlivesTheReaderOfItsLog) {
  const auto log = place->folder.path("log");
  std::filesystem::remove(log);
  ASSERT_EQ(::mkfifo(log.c_str(), 0600), 0);
  const int reader = ::open(log.c_str(), O_RDONLY | O_NONBLOCK);
  Child child(place->folder.path(), serve_command + " -m runs/small");
  const std::regex address("http://127\\.0\\.0\\.1:([0-9]+)");
  std::smatch found;
  for (std::string text; !std::regex_search(text, found, address);) {
    ASSERT_TRUE(child.runs()) << text;
    std::array<char, 4096> part{};
    const auto bytes = ::read(reader, part.data(), part.size());
    if (bytes > 0) text.append(part.data(), static_cast<std::size_t>(bytes));
  }
  const int port = std::stoi(found[1]);
  ::close(reader);
  HttpClient client(port);
  EXPECT_EQ(client.post("/translate", request).status, 200);  // its line of the log finds no reader
  EXPECT_EQ(client.post("/translate", request).status, 200);
  EXPECT_EQ(child.end_by(SIGTERM), 0);
  std::filesystem::remove(log);
}

TEST_F(ServeOperation, CountsTokens) {
  const Service service(place->folder.path());
  HttpClient client(service.port());
  client.post("/translate", request);
  EXPECT_THAT(client.get("/metrics").body,
              testing::ContainsRegex("\ntfm_source_tokens_total [1-9]"));
  EXPECT_THAT(client.get("/metrics").body,
              testing::ContainsRegex("\ntfm_target_tokens_total [1-9]"));
}

TEST_F(ServeOperation, KeepsTheSuggestionsOfClients) {
  const Service service(place->folder.path(), "--suggestions kept");
  const json suggestion = {{"q", "Bier"}, {"s", "beer"}, {"source", "de"}, {"target", "en"}};
  std::vector<std::jthread> clients;
  for (int number = 0; number < 4; ++number) {
    clients.emplace_back([&] {
      HttpClient client(service.port());
      for (int i = 0; i < 10; ++i)
        EXPECT_EQ(client.post("/suggest", suggestion.dump()).status, 200);
    });
  }
  clients.clear();
  std::istringstream lines(place->folder.read("kept"));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    EXPECT_EQ(json::parse(line), suggestion);
  EXPECT_EQ(count, 40);
  const auto refused = place->tfm("serve -m runs/small --port 0 --suggestions none/file");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("none/file: the file of suggestions can't be written"));
}

}  // namespace
}  // namespace tfm
