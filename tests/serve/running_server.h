// An HttpServer on a thread of its own, for tests that talk to it as clients do.
#pragma once

#include <atomic>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "tfm/serve/http_server.h"

namespace tfm {

/// Limits on times that even a busy machine keeps.
inline ServeLimits patient() {
  ServeLimits limits;
  limits.client_seconds = 600;
  limits.request_seconds = 600;
  limits.drain_seconds = 600;
  return limits;
}

/// A server on a thread of its own. It answers with the method, target and body of a request.
/// Requests for /later are answered when the test calls respond_later(), and those for /forwarded
/// with the header X-Forwarded-For.
class RunningServer {
 public:
  explicit RunningServer(const ServeLimits& limits,
                         const HttpAddress& address = {.host = "127.0.0.1", .port = 0},
                         std::shared_ptr<TlsContext> tls = nullptr)
      : server_(address, limits, std::move(tls)), thread_([this] {
          complete_ =
              server_.run([this](const HttpRequest& request,
                                 const Respond& respond) { return answer(request, respond); },
                          [this] { return stopping_.load(); });
        }) {}
  ~RunningServer() { stop(); }

  int port() const { return server_.port(); }
  HttpServer& server() { return server_; }
  /// Stops the server and returns what run() returned.
  bool stop() {
    stopping_ = true;
    if (thread_.joinable()) thread_.join();
    return complete_;
  }
  void begin_stopping() { stopping_ = true; }
  /// Waits until a request for /later has arrived.
  void wait_for_later() { arrived_.get_future().wait(); }
  void respond_later(const std::string& body) { later_(HttpReply{.body = body, .headers = {}}); }
  void wait_for_cancel() { cancelled_.get_future().wait(); }

 private:
  CancelRequest answer(const HttpRequest& request, const Respond& respond) {
    if (request.target == "/forwarded") {
      respond(HttpReply{.body = std::string(request.header("x-forwarded-for")), .headers = {}});
      return {};
    }
    if (request.target == "/throw") throw std::runtime_error("a bug");
    if (request.target == "/later") {
      later_ = respond;
      arrived_.set_value();
      return [this] { cancelled_.set_value(); };
    }
    respond({.body = request.method + " " + request.target + " " + request.body, .headers = {}});
    return {};
  }

  HttpServer server_;
  std::atomic<bool> stopping_{false};
  bool complete_ = false;
  Respond later_;
  std::promise<void> arrived_;
  std::promise<void> cancelled_;
  std::thread thread_;
};

}  // namespace tfm
