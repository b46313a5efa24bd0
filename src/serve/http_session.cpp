#include "http_session.h"

#include <poll.h>
#include <sys/socket.h>

#include <boost/asio/write.hpp>
#include <cerrno>
#include <chrono>
#include <cmath>

#include "tfm/core/clock.h"
#include "tfm/core/json_log.h"
#include "tfm/core/log.h"
#include "tfm/core/spelling.h"
#include "tfm/text/line_breaks.h"
#include "tfm/text/utf8.h"

namespace tfm {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;

constexpr std::uint32_t header_bytes = 16 * 1024;
constexpr std::size_t buffer_bytes = 64 * 1024;
/// How long a closing connection is read, so that the client sees the reply before the reset that
/// unread data would cause.
constexpr std::chrono::seconds linger_time{2};
constexpr std::chrono::milliseconds probe_time{200};
/// An interim reply, which clients skip.
constexpr std::string_view continue_reply = "HTTP/1.1 100 Continue\r\n\r\n";

std::chrono::steady_clock::duration to_duration(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

/// Returns the target without scheme and host, which a request may name (RFC 9112, 3.2.2).
std::string without_host(std::string target) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!target.starts_with(scheme)) continue;
    const auto end = target.find('/', scheme.size());
    return end == target.npos ? "/" : target.substr(end);
  }
  return target;
}

HttpRequest to_request(http::request<http::string_body>&& message) {
  HttpRequest request;
  request.method = std::string(message.method_string());
  request.target = without_host(std::string(message.target()));
  for (const auto& field : message) {
    auto& value = request.headers[to_lower(std::string(field.name_string()))];
    // Several lines of a header are one list (RFC 9110, 5.3).
    value.append(value.empty() ? "" : ", ").append(std::string(field.value()));
  }
  request.body = std::move(message.body());
  return request;
}

/// Returns what the next read of the socket would return, without reading: the number of bytes, 0
/// if the client has closed its side, or -1 with errno.
long peek(asio::ip::tcp::socket& socket) {
  char byte = 0;
  return ::recv(socket.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
}

/// Returns true if the client's system has reset the connection.
bool is_reset(asio::ip::tcp::socket& socket) {
  pollfd state{socket.native_handle(), 0, 0};
  return ::poll(&state, 1, 0) != 0 && (state.revents & (POLLERR | POLLHUP)) != 0;
}

/// Returns true if the client has closed its side of the connection, even if it has sent something
/// before that was not read yet.
bool has_closed(asio::ip::tcp::socket& socket) {
  pollfd state{socket.native_handle(), POLLRDHUP, 0};
  return ::poll(&state, 1, 0) != 0;
}

bool would_block(long peeked) { return peeked < 0 && (errno == EAGAIN || errno == EWOULDBLOCK); }

HttpError to_http_error(beast::error_code error) {
  if (error == http::error::body_limit) return {413, "the body of the request is too large"};
  if (error == http::error::header_limit) return {431, "the header of the request is too large"};
  return {400, "the request is not valid HTTP: " + error.message()};
}

}  // namespace

HttpSession::HttpSession(asio::ip::tcp::socket socket, std::shared_ptr<TlsContext> tls,
                         HttpSessionOwner& owner)
    : owner_(owner),
      stream_(std::move(socket), std::move(tls)),
      deadline_(owner.io()),
      probe_(owner.io()),
      buffer_(buffer_bytes) {}

HttpSession::~HttpSession() { owner_.remove(*this); }

void HttpSession::start() { open(&HttpSession::read_header); }

void HttpSession::refuse(const HttpError& error) {
  refusal_ = error;
  open(&HttpSession::write_refusal);
}

void HttpSession::write_refusal() {
  keep_alive_ = false;
  write(error_reply(*refusal_));
}

void HttpSession::open(void (HttpSession::*next)()) {
  if (!stream_.is_encrypted()) return (this->*next)();
  owner_.set_idle(*this, !refusal_);
  stream_.tcp().expires_after(to_duration(owner_.limits().client_seconds));
  stream_.async_handshake([self = shared_from_this(), next](beast::error_code error) {
    self->owner_.set_idle(*self, false);
    if (!error) return (self.get()->*next)();
    log_debug("the TLS handshake of a client failed: {}", error.message());
    self->close();
  });
}

void HttpSession::close_if_idle() {
  if (is_busy_ || buffer_.size() > 0 || stream_.has_pending() || !stream_.socket().is_open())
    return;
  if (would_block(peek(stream_.socket()))) close();
}

void HttpSession::close() {
  cancel_request();
  deadline_.cancel();
  probe_.cancel();
  is_busy_ = false;
  stream_.tcp().close();
}

void HttpSession::read_header() {
  is_busy_ = false;
  parser_.emplace();
  parser_->header_limit(header_bytes);
  parser_->body_limit(static_cast<std::uint64_t>(owner_.limits().body_bytes));
  owner_.set_idle(*this, true);
  stream_.tcp().expires_after(to_duration(owner_.limits().client_seconds));
  http::async_read_header(stream_, buffer_, *parser_,
                          [self = shared_from_this()](beast::error_code error, std::size_t) {
                            self->on_header(error);
                          });
}

void HttpSession::on_header(beast::error_code error) {
  owner_.set_idle(*this, false);
  if (error) return on_bad_request(error);
  is_busy_ = true;
  begin_ = steady_seconds();
  stream_.tcp().expires_after(to_duration(owner_.limits().client_seconds));
  // Beast reads no body in any other coding, and would take it for the next request.
  const auto coding = parser_->get()[http::field::transfer_encoding];
  if (!coding.empty() && !beast::iequals(coding, "chunked"))
    return answer_unread({501, "the only Transfer-Encoding that is supported is chunked"});
  if (!beast::iequals(parser_->get()[http::field::expect], "100-continue")) return read_body();
  asio::async_write(stream_, asio::buffer(continue_reply),
                    [self = shared_from_this()](beast::error_code failure, std::size_t) {
                      failure ? self->close() : self->read_body();
                    });
}

void HttpSession::read_body() {
  http::async_read(stream_, buffer_, *parser_,
                   [self = shared_from_this()](beast::error_code failure, std::size_t) {
                     self->on_request(failure);
                   });
}

void HttpSession::on_request(beast::error_code error) {
  if (error) return on_bad_request(error);
  handle();
}

/// Answers a malformed or too large request. A connection that ends or is too slow is closed.
void HttpSession::on_bad_request(beast::error_code error) {
  const bool is_protocol_error = error.category() == make_error_code(http::error{}).category();
  if (!is_protocol_error || error == http::error::end_of_stream ||
      error == http::error::partial_message)
    return close();
  answer_unread(to_http_error(error));
}

void HttpSession::answer_unread(const HttpError& error) {
  keep_alive_ = false;
  method_.clear();  // that of the request before this one
  write(error_reply(error));
}

void HttpSession::handle() {
  keep_alive_ = parser_->get().keep_alive();
  version_ = parser_->get().version();
  auto request = to_request(parser_->release());
  beast::error_code unknown;
  request.is_encrypted = stream_.is_encrypted();
  request.peer = stream_.socket().remote_endpoint(unknown).address().to_string();
  method_ = request.method;
  path_ = replace_line_breaks(repair_utf8(request.path()));
  const std::uint64_t number = ++request_;
  is_waiting_ = true;
  stream_.tcp().expires_never();
  deadline_.expires_after(to_duration(owner_.limits().request_seconds));
  deadline_.async_wait([self = shared_from_this(), number](beast::error_code error) {
    if (error || number != self->request_ || !self->is_waiting_) return;
    self->cancel_request();
    self->write(error_reply(HttpError(503, "the translation took too long; try again later")));
  });
  auto respond = [weak = weak_from_this(), &io = owner_.io(), number](HttpReply reply) {
    asio::post(io, [weak, number, reply = std::move(reply)]() mutable {
      if (const auto self = weak.lock()) self->reply(number, std::move(reply));
    });
  };
  try {
    cancel_ = owner_.handler()(request, respond);
  } catch (const std::exception& error) {
    log_error("{} {}: {}", method_, path_, error.what());
    respond(error_reply(HttpError(500, "an internal error; the log has the cause")));
  }
  watch_client();
}

/// Notices while a request waits for its reply that the client closes the connection.
void HttpSession::watch_client() {
  stream_.socket().async_wait(
      asio::ip::tcp::socket::wait_read,
      [self = shared_from_this(), number = request_](beast::error_code error) {
        if (error || number != self->request_ || !self->is_waiting_) return;
        // A client that sends its next request early is not watched any more. On an encrypted
        // connection, the bytes that have arrived may be the next request or the end.
        if (self->stream_.is_encrypted() || peek(self->stream_.socket()) <= 0)
          self->on_client_closed(number, true);
      });
}

/// A client that has closed its side of the connection may still read. An interim reply shows
/// whether it does: if not, its system resets the connection. Clients of encrypted connections
/// close both sides at once.
void HttpSession::on_client_closed(std::uint64_t request, bool is_first) {
  if (request != request_ || !is_waiting_) return;
  const bool is_gone =
      stream_.is_encrypted() ? has_closed(stream_.socket()) : is_reset(stream_.socket());
  if (is_gone) return close();
  constexpr unsigned http_1_1 = 11;
  if (is_first && !stream_.is_encrypted() && version_ >= http_1_1)
    ::send(stream_.socket().native_handle(), continue_reply.data(), continue_reply.size(),
           MSG_DONTWAIT | MSG_NOSIGNAL);
  probe_.expires_after(probe_time);
  probe_.async_wait([self = shared_from_this(), request](beast::error_code error) {
    if (!error) self->on_client_closed(request, false);
  });
}

void HttpSession::reply(std::uint64_t request, HttpReply reply) {
  if (request != request_ || !is_waiting_) return;
  is_waiting_ = false;
  cancel_ = nullptr;
  write(std::move(reply));
}

void HttpSession::log_reply(int status) const {
  if (!shows_log(LogLevel::debug)) return;
  const double milliseconds = 1000 * (steady_seconds() - begin_);
  log_with_fields(LogLevel::debug,
                  fmt::format("{} {} {} {:.1f} ms", method_, path_, status, milliseconds),
                  {{"method", method_},
                   {"path", path_},
                   {"status", std::int64_t{status}},
                   {"milliseconds", std::round(10 * milliseconds) / 10}});
}

void HttpSession::write(HttpReply reply) {
  deadline_.cancel();
  probe_.cancel();
  if (owner_.is_draining()) keep_alive_ = false;
  log_reply(reply.status);
  auto& response = response_.emplace(static_cast<http::status>(reply.status), version_);
  response.set(http::field::server, "tfm");
  response.set(http::field::content_type, reply.content_type);
  for (const auto& [name, value] : reply.headers) response.set(name, value);
  response.body() = std::move(reply.body);
  response.keep_alive(keep_alive_);
  response.prepare_payload();
  serializer_.emplace(response);
  stream_.tcp().expires_after(to_duration(owner_.limits().client_seconds));
  auto on_end = [self = shared_from_this()](beast::error_code error, std::size_t) {
    self->on_written(error);
  };
  if (method_ == "HEAD") {
    serializer_->split(true);
    http::async_write_header(stream_, *serializer_, std::move(on_end));
  } else {
    http::async_write(stream_, *serializer_, std::move(on_end));
  }
}

void HttpSession::on_written(beast::error_code error) {
  serializer_.reset();
  response_.reset();
  is_busy_ = false;
  if (error) return close();
  if (!keep_alive_) return end();
  read_header();
}

/// Ends the encryption, so that the client knows that the reply is complete. Then lingers.
void HttpSession::end() {
  stream_.tcp().expires_after(linger_time);
  if (!stream_.is_encrypted()) return linger();
  stream_.async_shutdown([self = shared_from_this()](beast::error_code) { self->linger(); });
}

/// Ends the connection so that the client receives all of the reply: unread data would make the
/// system reset the connection.
void HttpSession::linger() {
  beast::error_code ignored;
  stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  discard();
}

void HttpSession::discard() {
  buffer_.clear();
  stream_.tcp().async_read_some(buffer_.prepare(buffer_bytes),
                                [self = shared_from_this()](beast::error_code error, std::size_t) {
                                  error ? self->close() : self->discard();
                                });
}

void HttpSession::cancel_request() {
  is_waiting_ = false;
  if (const auto cancel = std::exchange(cancel_, nullptr)) cancel();
}

}  // namespace tfm
