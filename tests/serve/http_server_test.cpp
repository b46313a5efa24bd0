#include "tfm/serve/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <thread>

#include "http_client.h"
#include "running_server.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(HttpServer, AnswersRequestsOfAConnectionInOrder) {
  RunningServer server(patient());
  HttpClient client(server.port());
  EXPECT_EQ(client.get("/a?b").body, "GET /a?b ");
  EXPECT_EQ(client.post("/c", "d").body, "POST /c d");
  client.send("GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\n" +
              HttpClient::post_request("/3", "x"));
  EXPECT_EQ(client.receive().body, "GET /1 ");
  EXPECT_EQ(client.receive().body, "GET /2 ");
  EXPECT_EQ(client.receive().body, "POST /3 x");
}

TEST(HttpServer, EndsAConnectionAsTheClientAsks) {
  RunningServer server(patient());
  HttpClient closing(server.port());
  closing.send("GET /a HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(closing.receive().status, 200);
  EXPECT_TRUE(closing.is_closed());
  HttpClient old(server.port());
  old.send("GET /a HTTP/1.0\r\n\r\n");
  EXPECT_EQ(old.receive().body, "GET /a ");
  EXPECT_TRUE(old.is_closed());
}

TEST(HttpServer, ReadsChunkedBodiesAndAnswersHead) {
  RunningServer server(patient());
  HttpClient client(server.port());
  client.send(
      "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n");
  EXPECT_EQ(client.receive().body, "POST /a abc");
  client.send("HEAD /a HTTP/1.1\r\n\r\n");
  const auto head = client.receive(/*has_body=*/false);
  EXPECT_THAT(head.header, HasSubstr("Content-Length: 8\r\n"));
  EXPECT_EQ(client.get("/b").body, "GET /b ") << "the reply to HEAD had no body";
}

/// RFC 9112, section 3.2.2.
TEST(HttpServer, AcceptsATargetWithItsHost) {
  RunningServer server(patient());
  HttpClient client(server.port());
  for (const auto& [target, path] : std::vector<std::pair<std::string, std::string>>{
           {"http://localhost:80/a?b=http://c", "/a?b=http://c"}, {"https://localhost", "/"}}) {
    client.send("GET " + target + " HTTP/1.1\r\n\r\n");
    EXPECT_EQ(client.receive().body, "GET " + path + " ");
  }
}

/// RFC 9110, section 5.3: a proxy may add a line of its own.
TEST(HttpServer, JoinsTheLinesOfAHeader) {
  RunningServer server(patient());
  HttpClient client(server.port());
  client.send("GET /forwarded HTTP/1.1\r\nX-Forwarded-For: 1\r\nx-forwarded-for: 2, 3\r\n\r\n");
  EXPECT_EQ(client.receive().body, "1, 2, 3");
}

TEST(HttpServer, WritesTheBodyOfAnErrorAfterAHead) {
  RunningServer server(patient());
  HttpClient client(server.port());
  client.send("HEAD /a HTTP/1.1\r\n\r\n");
  client.receive(/*has_body=*/false);
  client.send("no http\r\n\r\n");
  EXPECT_THAT(client.receive().body, HasSubstr("error"));
}

TEST(HttpServer, AsksForTheBodyThatAClientAnnounces) {
  RunningServer server(patient());
  HttpClient client(server.port());
  client.send("POST /a HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n");
  client.send("x");
  EXPECT_EQ(client.receive().body, "POST /a x");
}

TEST(HttpServer, RefusesRequestsThatAreNotValidOrTooLarge) {
  auto limits = patient();
  limits.body_bytes = 10;
  RunningServer server(limits);
  const auto status = [&](const std::string& bytes) {
    HttpClient client(server.port());
    client.send(bytes);
    const int received = client.receive().status;
    EXPECT_TRUE(client.is_closed());
    return received;
  };
  EXPECT_EQ(status("no http\r\n\r\n"), 400);
  EXPECT_EQ(status(std::string("GET /\0 HTTP/1.1\r\n\r\n", 19)), 400);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n"), 400);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nA: " + std::string(100'000, 'a')), 431);
  EXPECT_EQ(status(HttpClient::post_request("/", "more than ten bytes")), 413);
  EXPECT_EQ(status("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n" +
                   std::string(255, 'a') + "\r\n0\r\n\r\n"),
            413);
  for (const auto* coding : {"gzip", "gzip, chunked", "chunked, identity"})
    EXPECT_EQ(status(std::string("POST / HTTP/1.1\r\nTransfer-Encoding: ") + coding +
                     "\r\n\r\nGET /a HTTP/1.1\r\n\r\n"),
              501)
        << coding;
}

TEST(HttpServer, AnswersAnExceptionOfTheHandlerWith500) {
  RunningServer server(patient());
  HttpClient client(server.port());
  EXPECT_EQ(client.get("/throw").status, 500);
  EXPECT_EQ(client.get("/a").status, 200);
}

TEST(HttpServer, ClosesConnectionsOfSlowAndIdleClients) {
  auto limits = patient();
  limits.client_seconds = 0.05;
  RunningServer server(limits);
  HttpClient idle(server.port());
  EXPECT_TRUE(idle.is_closed());
  HttpClient slow_header(server.port());
  slow_header.send("GET / HT");
  EXPECT_TRUE(slow_header.is_closed());
  HttpClient slow_body(server.port());
  slow_body.send("POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\nx");
  EXPECT_TRUE(slow_body.is_closed());
}

TEST(HttpServer, Answers503IfTheReplyTakesTooLong) {
  auto limits = patient();
  limits.request_seconds = 0.05;
  RunningServer server(limits);
  HttpClient client(server.port());
  const auto reply = client.get("/later");
  EXPECT_EQ(reply.status, 503);
  EXPECT_THAT(reply.header, HasSubstr("Retry-After: 1\r\n"));
  server.wait_for_cancel();
  server.respond_later("too late");
  EXPECT_EQ(client.get("/a").body, "GET /a ");
}

TEST(HttpServer, CancelsTheRequestOfAClientThatHangsUp) {
  RunningServer server(patient());
  HttpClient client(server.port());
  client.send("GET /later HTTP/1.1\r\n\r\n");
  server.wait_for_later();
  client.close();
  server.wait_for_cancel();
}

TEST(HttpServer, AnswersAClientThatHasClosedOnlyItsOwnSide) {
  RunningServer server(patient());
  HttpClient client(server.port());
  client.send("GET /later HTTP/1.1\r\n\r\n");
  client.shut_down_sending();
  server.wait_for_later();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));  // the server looks at the client
  server.respond_later("answer");
  EXPECT_EQ(client.receive().body, "answer");
  EXPECT_TRUE(client.is_closed());
}

TEST(HttpServer, ClosesTheLongestIdleConnectionForANewOne) {
  auto limits = patient();
  limits.connections = 2;
  RunningServer server(limits);
  HttpClient first(server.port());
  EXPECT_EQ(first.get("/1").status, 200);
  HttpClient second(server.port());
  EXPECT_EQ(second.get("/2").status, 200);
  HttpClient third(server.port());
  EXPECT_EQ(third.get("/3").status, 200);
  EXPECT_TRUE(first.is_closed());
  EXPECT_EQ(second.get("/4").status, 200);
}

TEST(HttpServer, RefusesConnectionsIfAllAreBusy) {
  auto limits = patient();
  limits.connections = 1;
  RunningServer server(limits);
  HttpClient busy(server.port());
  busy.send("GET /later HTTP/1.1\r\n\r\n");
  server.wait_for_later();
  HttpClient other(server.port());
  EXPECT_EQ(other.receive().status, 503);
  server.respond_later("done");
  EXPECT_EQ(busy.receive().body, "done");
}

TEST(HttpServer, SurvivesThousandsOfIdleConnections) {
  RunningServer server(patient());
  std::vector<std::unique_ptr<HttpClient>> idle;
  for (int i = 0; i < 3000; ++i) {
    idle.push_back(std::make_unique<HttpClient>(server.port()));
    if (!idle.back()->is_connected()) break;  // the process may not open more files
  }
  idle.resize(std::min<std::size_t>(idle.size(), 2900));
  HttpClient client(server.port());
  EXPECT_EQ(client.get("/a").status, 200);
}

TEST(HttpServer, AnswersWhatHasArrivedBeforeItStops) {
  RunningServer server(patient());
  HttpClient busy(server.port());
  busy.send("GET /later HTTP/1.1\r\n\r\n");
  server.wait_for_later();
  HttpClient half(server.port());
  half.send("POST /half HTTP/1.1\r\nContent-Length: 2\r\n\r\nx");
  EXPECT_EQ(HttpClient(server.port()).get("/a").status, 200);
  server.begin_stopping();
  while (HttpClient(server.port()).is_connected()) std::this_thread::yield();
  half.send("y");
  EXPECT_EQ(half.receive().body, "POST /half xy");
  server.respond_later("answer");
  const auto reply = busy.receive();
  EXPECT_EQ(reply.body, "answer");
  EXPECT_THAT(reply.header, HasSubstr("Connection: close"));
  EXPECT_TRUE(server.stop());
}

TEST(HttpServer, ReportsRequestsThatItCouldNotAnswer) {
  auto limits = patient();
  limits.drain_seconds = 0;
  RunningServer server(limits);
  HttpClient client(server.port());
  client.send("GET /later HTTP/1.1\r\n\r\n");
  server.wait_for_later();
  EXPECT_FALSE(server.stop());
}

TEST(HttpServer, TakesOverASocketWhoseClientsWait) {
  const int listening = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof(address);
  ASSERT_EQ(::bind(listening, generic, size), 0);
  ASSERT_EQ(::listen(listening, 5), 0);
  ASSERT_EQ(::getsockname(listening, generic, &size), 0);
  HttpClient early(ntohs(address.sin_port));
  early.send("GET /early HTTP/1.1\r\n\r\n");
  RunningServer server(patient(), {.socket = listening});
  EXPECT_EQ(server.port(), ntohs(address.sin_port));
  EXPECT_EQ(early.receive().body, "GET /early ");
}

TEST(HttpServer, RefusesADescriptorThatIsNotASocketOfTheInternet) {
  const auto take = [](int descriptor) { HttpServer({.socket = descriptor}, {}); };
  EXPECT_THROW(take(1), ConfigError);
  const int local = ::socket(AF_UNIX, SOCK_STREAM, 0);
  EXPECT_THROW(take(local), ConfigError);
  ::close(local);
  const int silent = ::socket(AF_INET, SOCK_STREAM, 0);
  EXPECT_THROW(take(silent), ConfigError);
  ::close(silent);
}

TEST(HttpServer, RefusesAnAddressThatIsInUse) {
  RunningServer server(patient());
  const auto port = static_cast<std::uint16_t>(server.port());
  EXPECT_THROW(HttpServer({.host = "127.0.0.1", .port = port}, {}), ConfigError);
  EXPECT_THROW(HttpServer({.host = "203.0.113.1", .port = 0}, {}), ConfigError);
}

}  // namespace
}  // namespace tfm
