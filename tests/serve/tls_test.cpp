#include "tfm/serve/tls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "running_server.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"
#include "tls_client.h"
#include "tls_files.h"

namespace tfm {
namespace {

using testing::HasSubstr;

class TlsTest : public testing::Test {
 protected:
  TlsTest() { write_certificate(folder.path(), "first"); }

  std::shared_ptr<TlsContext> load(const std::string& certificate, const std::string& key) const {
    return load_tls({folder.path(certificate), folder.path(key)});
  }
  std::unique_ptr<RunningServer> start(const ServeLimits& limits = patient()) const {
    return std::make_unique<RunningServer>(limits, HttpAddress{.host = "127.0.0.1", .port = 0},
                                           load("first.pem", "first.key"));
  }
  std::string error(const std::string& certificate, const std::string& key) const {
    try {
      load(certificate, key);
    } catch (const ConfigError& failure) {
      return failure.what();
    }
    return "";
  }

  TemporaryFolder folder;
};

TEST_F(TlsTest, AnswersRequestsOfAnEncryptedConnectionInOrder) {
  const auto server = start();
  TlsClient client(server->port(), folder.path("first.pem"));
  ASSERT_TRUE(client.is_encrypted());
  EXPECT_EQ(client.version(), "TLSv1.3");
  EXPECT_EQ(client.get("/a?b").body, "GET /a?b ");
  const std::string large(200'000, 'x');
  EXPECT_EQ(client.post("/c", large).body, "POST /c " + large);
  client.send("GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(client.receive().body, "GET /1 ");
  EXPECT_EQ(client.receive().body, "GET /2 ");
  EXPECT_TRUE(client.is_closed());
}

TEST_F(TlsTest, AsksForTheBodyThatAClientAnnounces) {
  const auto server = start();
  TlsClient client(server->port(), folder.path("first.pem"));
  client.send("POST /a HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n");
  client.send("x");
  EXPECT_EQ(client.receive().body, "POST /a x");
}

TEST_F(TlsTest, RefusesVersionsBefore1_2) {
  const auto server = start();
  const auto trusted = folder.path("first.pem");
  EXPECT_TRUE(TlsClient(server->port(), trusted, TLS1_2_VERSION).is_encrypted());
  EXPECT_FALSE(TlsClient(server->port(), trusted, TLS1_1_VERSION).is_encrypted());
}

TEST_F(TlsTest, RefusesTooLargeBodiesWithAReply) {
  auto limits = patient();
  limits.body_bytes = 10;
  const auto server = start(limits);
  TlsClient client(server->port(), folder.path("first.pem"));
  EXPECT_EQ(client.post("/a", std::string(1000, 'x')).status, 413);
}

TEST_F(TlsTest, ClosesConnectionsWhoseHandshakeIsSlow) {
  auto limits = patient();
  limits.client_seconds = 0.05;
  const auto server = start(limits);
  HttpClient silent(server->port());
  EXPECT_TRUE(silent.is_closed());
  HttpClient slow(server->port());
  slow.send("\x16\x03\x01");  // the beginning of a handshake
  EXPECT_TRUE(slow.is_closed());
}

TEST_F(TlsTest, ClosesConnectionsWithoutAHandshake) {
  const auto server = start();
  HttpClient plain(server->port());
  EXPECT_EQ(plain.get("/a").status, 0);
}

TEST_F(TlsTest, ASlowHandshakeMakesWayForANewConnection) {
  auto limits = patient();
  limits.connections = 1;
  const auto server = start(limits);
  HttpClient silent(server->port());
  TlsClient client(server->port(), folder.path("first.pem"));
  EXPECT_EQ(client.get("/a").status, 200);
  EXPECT_TRUE(silent.is_closed());
}

TEST_F(TlsTest, RefusesConnectionsWithAReplyIfAllAreBusy) {
  auto limits = patient();
  limits.connections = 1;
  const auto server = start(limits);
  TlsClient busy(server->port(), folder.path("first.pem"));
  busy.send("GET /later HTTP/1.1\r\n\r\n");
  server->wait_for_later();
  TlsClient refused(server->port(), folder.path("first.pem"));
  EXPECT_EQ(refused.receive().status, 503);
  server->respond_later("done");
  EXPECT_EQ(busy.receive().body, "done");
}

TEST_F(TlsTest, CancelsTheRequestOfAClientThatHangsUp) {
  const auto server = start();
  TlsClient client(server->port(), folder.path("first.pem"));
  client.send("GET /later HTTP/1.1\r\n\r\n");
  server->wait_for_later();
  client.say_goodbye();
  client.close();
  server->wait_for_cancel();
}

TEST_F(TlsTest, LaterConnectionsGetAnotherCertificate) {
  const auto server = start();
  TlsClient before(server->port(), folder.path("first.pem"));
  write_certificate(folder.path(), "second");
  server->server().set_tls(load("second.pem", "second.key"));
  EXPECT_FALSE(TlsClient(server->port(), folder.path("first.pem")).is_encrypted());
  EXPECT_TRUE(TlsClient(server->port(), folder.path("second.pem")).is_encrypted());
  EXPECT_EQ(before.get("/a").status, 200) << "it keeps its own";
}

TEST_F(TlsTest, NamesTheFileThatIsWrong) {
  write_certificate(folder.path(), "second");
  write_locked_key(folder.path("locked.key"));
  folder.write("empty", "");
  const auto path = [&](const std::string& name) { return folder.path(name).string() + ": "; };
  EXPECT_THAT(error("none", "first.key"),
              HasSubstr(path("none") + "the file of the certificate can't be read"));
  EXPECT_THAT(error("empty", "first.key"), HasSubstr(path("empty") + "is not a certificate"));
  EXPECT_THAT(error("first.pem", "none"),
              HasSubstr(path("none") + "the file of the private key can't be read"));
  EXPECT_THAT(error("first.pem", "first.pem"), HasSubstr(path("first.pem") + "is not a private"));
  EXPECT_THAT(error("first.pem", "locked.key"),
              HasSubstr(path("locked.key") + "is not a private key in PEM without a passphrase"));
  EXPECT_THAT(
      error("first.pem", "second.key"),
      HasSubstr("the key is not that of the certificate " + folder.path("first.pem").string()));
  EXPECT_EQ(error("first.pem", "first.key"), "");
}

}  // namespace
}  // namespace tfm
