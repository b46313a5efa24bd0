// An HTTP/1.1 server for many connections, most of them idle or slow: one thread reads and writes,
// and a handler answers whenever it can, from any thread. Connections, sizes and times are bounded
// (limits.h). They are encrypted if the server has a certificate (tls.h). Requests that a client
// sends on one connection are answered in order.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "tfm/serve/http_message.h"
#include "tfm/serve/limits.h"
#include "tfm/serve/tls.h"

namespace tfm {

/// Sends the reply to a request. Only the first call counts. May be called by any thread.
using Respond = std::function<void(HttpReply)>;
/// Is called if the reply is no longer needed: the client has hung up, or has received 503 because
/// ServeLimits::request_seconds are over.
using CancelRequest = std::function<void()>;
/// Begins to answer a request, and returns at once. May return an empty function.
using HttpHandler = std::function<CancelRequest(const HttpRequest&, Respond)>;

struct HttpAddress {
  std::string host = "127.0.0.1";
  std::uint16_t port = 5000;  ///< 0: a free port
  /// the descriptor of a socket that listens already, instead of host and port
  std::optional<int> socket = std::nullopt;
};

class HttpServer {
 public:
  /// Listens at the address. With `tls`, connections are encrypted. Throws ConfigError if that is
  /// not possible.
  HttpServer(const HttpAddress& address, const ServeLimits& limits,
             std::shared_ptr<TlsContext> tls = nullptr);
  /// No thread may call a Respond any more.
  ~HttpServer();

  /// Returns the port at which the server listens.
  std::uint16_t port() const;
  /// Encrypts later connections with another certificate. May be called by any thread.
  void set_tls(std::shared_ptr<TlsContext> tls);
  /// Serves requests until should_stop() returns true; it is called several times per second. Then
  /// accepts no more connections, and answers what has arrived. Returns false if requests are not
  /// answered after ServeLimits::drain_seconds.
  bool run(const HttpHandler& handler, const std::function<bool()>& should_stop);

 private:
  class Connections;
  std::unique_ptr<Connections> connections_;
};

}  // namespace tfm
