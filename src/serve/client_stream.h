// The bytes of a connection, encrypted or not, behind one interface for Beast: what a session reads
// and writes is the same. Its timeouts are those of the socket (tcp()).
#pragma once

#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <memory>
#include <optional>
#include <utility>

#include "tls_context.h"

namespace tfm {

class ClientStream {
 public:
  using executor_type = boost::beast::tcp_stream::executor_type;

  /// Without `tls`, nothing is encrypted.
  ClientStream(boost::asio::ip::tcp::socket socket, std::shared_ptr<TlsContext> tls)
      : context_(std::move(tls)), tcp_(std::move(socket)) {
    if (context_) tls_.emplace(tcp_, context_->context);
  }

  // tls_ refers to tcp_.
  ClientStream(const ClientStream&) = delete;
  ClientStream& operator=(const ClientStream&) = delete;

  executor_type get_executor() { return tcp_.get_executor(); }
  boost::beast::tcp_stream& tcp() { return tcp_; }
  boost::asio::ip::tcp::socket& socket() { return tcp_.socket(); }
  bool is_encrypted() const { return tls_.has_value(); }
  /// Returns true if encrypted bytes have arrived that no read has returned yet.
  bool has_pending() { return tls_ && ::SSL_has_pending(tls_->native_handle()) == 1; }

  /// Agrees on keys with the client. The stream must be encrypted.
  template <class Handler>
  void async_handshake(Handler&& handler) {
    tls_->async_handshake(boost::asio::ssl::stream_base::server, std::forward<Handler>(handler));
  }
  /// Says that no more bytes will follow, and waits until the client says so, too. The stream must
  /// be encrypted.
  template <class Handler>
  void async_shutdown(Handler&& handler) {
    tls_->async_shutdown(std::forward<Handler>(handler));
  }

  template <class Buffers, class Handler>
  void async_read_some(const Buffers& buffers, Handler&& handler) {
    if (tls_) return tls_->async_read_some(buffers, std::forward<Handler>(handler));
    tcp_.async_read_some(buffers, std::forward<Handler>(handler));
  }
  template <class Buffers, class Handler>
  void async_write_some(const Buffers& buffers, Handler&& handler) {
    if (tls_) return tls_->async_write_some(buffers, std::forward<Handler>(handler));
    tcp_.async_write_some(buffers, std::forward<Handler>(handler));
  }

 private:
  std::shared_ptr<TlsContext> context_;  // outlives tls_
  boost::beast::tcp_stream tcp_;
  std::optional<boost::asio::ssl::stream<boost::beast::tcp_stream&>> tls_;
};

}  // namespace tfm
