#include "tfm/serve/http_server.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <list>
#include <unordered_map>
#include <utility>

#include "http_session.h"
#include "tfm/core/clock.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/core/open_files.h"

namespace tfm {
namespace {

using boost::asio::ip::tcp;

constexpr std::chrono::milliseconds poll_time{100};
/// How long idle connections stay open after the signal to stop: their next request may be on its
/// way.
constexpr double grace_seconds = 1;
/// Connections that are refused at the same time; more are closed without a reply.
constexpr std::size_t refused_connections = 100;

/// Takes over a socket that listens already.
tcp::acceptor take_socket(boost::asio::io_context& io, int descriptor) {
  sockaddr_storage local{};
  socklen_t size = sizeof(local);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the interface of sockets
  auto* generic = reinterpret_cast<sockaddr*>(&local);
  int listens = 0;
  socklen_t option_size = sizeof(listens);
  const bool is_socket =
      ::getsockname(descriptor, generic, &size) == 0 &&
      ::getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &option_size) == 0;
  if (!is_socket || listens == 0 || (local.ss_family != AF_INET && local.ss_family != AF_INET6))
    throw ConfigError(fmt::format("descriptor {}", descriptor),
                      "is not a socket of the Internet that listens",
                      "Name an address and a port (ListenStream=127.0.0.1:5000) in the socket "
                      "unit.");
  return {io, local.ss_family == AF_INET ? tcp::v4() : tcp::v6(), descriptor};
}

tcp::acceptor listen(boost::asio::io_context& io, const HttpAddress& address) {
  if (address.socket) return take_socket(io, *address.socket);
  try {
    tcp::resolver resolver(io);
    const auto found = resolver.resolve(address.host, std::to_string(address.port),
                                        tcp::resolver::passive | tcp::resolver::numeric_service);
    return {io, found.begin()->endpoint(), /*reuse_addr=*/true};
  } catch (const boost::system::system_error& error) {
    throw ConfigError("--host, --port",
                      fmt::format("can't listen at {} port {}: {}", address.host, address.port,
                                  error.code().message()),
                      "Name an address of this machine and a port that is free; --port 0 finds "
                      "one.");
  }
}

}  // namespace

class HttpServer::Connections : public HttpSessionOwner {
 public:
  Connections(const HttpAddress& address, const ServeLimits& limits,
              std::shared_ptr<TlsContext> tls)
      : limits_(limits), tls_(std::move(tls)), poll_(io_), acceptor_(listen(io_, address)) {
    raise_limit_of_open_files();  // each connection is a file
  }

  std::uint16_t port() const { return port_; }
  void set_tls(std::shared_ptr<TlsContext> tls) { tls_ = std::move(tls); }

  bool run(const HttpHandler& handler, const std::function<bool()>& should_stop) {
    handler_ = handler;
    should_stop_ = should_stop;
    accept();
    poll();
    io_.run();
    const auto busy = std::ranges::count_if(
        sessions_, [](const auto& session) { return session.first->is_busy(); });
    if (busy > 0) log_warn("{} requests were not answered in time", busy);
    return busy == 0;
  }

  boost::asio::io_context& io() override { return io_; }
  const ServeLimits& limits() const override { return limits_; }
  const HttpHandler& handler() const override { return handler_; }
  bool is_draining() const override { return is_draining_; }

  void set_idle(HttpSession& session, bool is_idle) override {
    auto& place = sessions_.at(&session);
    if (place != idle_.end()) idle_.erase(place);
    place = is_idle ? idle_.insert(idle_.end(), &session) : idle_.end();
  }

  void remove(HttpSession& session) override {
    const auto found = sessions_.find(&session);
    if (found == sessions_.end()) return;
    if (found->second != idle_.end()) idle_.erase(found->second);
    sessions_.erase(found);
  }

 private:
  void accept() {
    acceptor_.async_accept([this](boost::system::error_code error, tcp::socket socket) {
      if (is_draining_) return;
      if (!error) begin_session(std::move(socket));
      if (!error || error == boost::asio::error::connection_aborted) return accept();
      // No file is left for a connection. Some are closed soon.
      log_warn("a connection could not be accepted: {}", error.message());
      is_paused_ = true;
    });
  }

  void begin_session(tcp::socket socket) {
    const auto most = static_cast<std::size_t>(limits_.connections);
    boost::system::error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    if (sessions_.size() >= most + refused_connections) return;
    const bool is_full = sessions_.size() >= most;
    const auto session = std::make_shared<HttpSession>(std::move(socket), tls_.load(), *this);
    sessions_.emplace(session.get(), idle_.end());
    if (!is_full) return session->start();
    if (idle_.empty()) return session->refuse(HttpError(503, "too many connections"));
    idle_.front()->close();  // its pending read ends with an error, and then the session
    session->start();
  }

  /// Looks regularly for the signal to stop, and for the end of draining.
  void poll() {
    if (std::exchange(is_paused_, false)) accept();
    if (!is_draining_ && should_stop_()) begin_draining();
    if (is_draining_ && steady_seconds() > drain_begin_ + grace_seconds) close_idle();
    if (is_draining_ && (sessions_.empty() || steady_seconds() > drain_end_)) return io_.stop();
    poll_.expires_after(poll_time);
    poll_.async_wait([this](boost::system::error_code) { poll(); });
  }

  /// Takes the connections that the system has already accepted. Later ones are refused.
  void begin_draining() {
    drain_begin_ = steady_seconds();
    drain_end_ = drain_begin_ + limits_.drain_seconds;
    boost::system::error_code error;
    acceptor_.cancel(error);
    acceptor_.non_blocking(true, error);
    while (true) {
      tcp::socket socket(io_);
      acceptor_.accept(socket, error);
      if (error) break;
      begin_session(std::move(socket));
    }
    acceptor_.close(error);
    is_draining_ = true;
    log_info("stopping: {} connections are open", sessions_.size());
  }

  void close_idle() {
    for (auto* session : idle_) session->close_if_idle();  // does not change idle_ at once
  }

  ServeLimits limits_;
  std::atomic<std::shared_ptr<TlsContext>> tls_;  // of the next connection
  HttpHandler handler_;
  std::function<bool()> should_stop_;
  // Before io_, whose destructor destroys the sessions, which remove themselves.
  std::list<HttpSession*> idle_;  // those that wait for a request, longest first
  std::unordered_map<HttpSession*, std::list<HttpSession*>::iterator> sessions_;
  boost::asio::io_context io_{1};
  boost::asio::steady_timer poll_;
  tcp::acceptor acceptor_;
  std::uint16_t port_ = acceptor_.local_endpoint().port();
  double drain_begin_ = 0;  // in steady_seconds
  double drain_end_ = 0;
  bool is_draining_ = false;
  bool is_paused_ = false;  // no connection is accepted until the next poll
};

HttpServer::HttpServer(const HttpAddress& address, const ServeLimits& limits,
                       std::shared_ptr<TlsContext> tls)
    : connections_(std::make_unique<Connections>(address, limits, std::move(tls))) {}

HttpServer::~HttpServer() = default;

std::uint16_t HttpServer::port() const { return connections_->port(); }

void HttpServer::set_tls(std::shared_ptr<TlsContext> tls) { connections_->set_tls(std::move(tls)); }

bool HttpServer::run(const HttpHandler& handler, const std::function<bool()>& should_stop) {
  return connections_->run(handler, should_stop);
}

}  // namespace tfm
