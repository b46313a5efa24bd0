// One connection of HttpServer: agrees on keys if it is encrypted, reads a request, waits for the
// reply of the handler, writes it, and starts again. All functions run on the thread of the server.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>  // Boost 1.74 uses std::exchange without it

#include "client_stream.h"
#include "tfm/serve/http_server.h"

namespace tfm {

class HttpSession;

/// What a session needs of its server.
struct HttpSessionOwner {
  virtual ~HttpSessionOwner() = default;
  virtual boost::asio::io_context& io() = 0;
  virtual const ServeLimits& limits() const = 0;
  virtual const HttpHandler& handler() const = 0;
  /// Returns true if the server answers what has arrived, and then closes each connection.
  virtual bool is_draining() const = 0;
  /// Is called when the session begins to wait for a request, and when one arrives.
  virtual void set_idle(HttpSession& session, bool is_idle) = 0;
  virtual void remove(HttpSession& session) = 0;
};

class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  /// Without `tls`, the connection is not encrypted.
  HttpSession(boost::asio::ip::tcp::socket socket, std::shared_ptr<TlsContext> tls,
              HttpSessionOwner& owner);
  ~HttpSession();

  /// Begins to read requests.
  void start();
  /// Sends an error and closes the connection, without reading a request.
  void refuse(const HttpError& error);
  /// Closes the connection unless a part of a request has arrived.
  void close_if_idle();
  void close();
  /// Returns true if a request has arrived and its reply has not been sent yet.
  bool is_busy() const { return is_busy_; }

 private:
  /// Calls the function when bytes can be exchanged. A connection whose handshake fails or takes
  /// longer than ServeLimits::client_seconds is closed.
  void open(void (HttpSession::*next)());
  void read_header();
  void read_body();
  void write_refusal();
  void on_header(boost::beast::error_code error);
  void on_request(boost::beast::error_code error);
  void on_bad_request(boost::beast::error_code error);
  /// Answers a request whose body was not read, and then closes the connection.
  void answer_unread(const HttpError& error);
  void handle();
  void watch_client();
  void on_client_closed(std::uint64_t request, bool is_first);
  void reply(std::uint64_t request, HttpReply reply);
  void write(HttpReply reply);
  void log_reply(int status) const;
  void on_written(boost::beast::error_code error);
  void end();
  void linger();
  void discard();
  void cancel_request();

  using Response = boost::beast::http::response<boost::beast::http::string_body>;

  HttpSessionOwner& owner_;
  ClientStream stream_;
  boost::asio::steady_timer deadline_;  // for the reply
  boost::asio::steady_timer probe_;     // whether a client that sends no more still reads
  boost::beast::flat_buffer buffer_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;
  std::optional<Response> response_;
  std::optional<boost::beast::http::response_serializer<boost::beast::http::string_body>>
      serializer_;
  CancelRequest cancel_;
  std::optional<HttpError> refusal_;
  std::uint64_t request_ = 0;  // counts the requests of this connection
  double begin_ = 0;           // of the request, in steady_seconds
  std::string method_;
  std::string path_;
  unsigned version_ = 11;  // of HTTP, times ten
  bool is_busy_ = false;
  bool is_waiting_ = false;  // for the handler
  bool keep_alive_ = false;
};

}  // namespace tfm
