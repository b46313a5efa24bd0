// A client of HTTP for tests: one connection over which a test sends bytes and reads replies.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace tfm {

struct ClientReply {
  int status = 0;  ///< 0 if the connection ended without a complete reply
  std::string header;
  std::string body;
};

class HttpClient {
 public:
  explicit HttpClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_connected_ =
        ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  virtual ~HttpClient() { close(); }
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  bool is_connected() const { return is_connected_; }

  /// Sends the bytes. Returns false if the connection is closed.
  bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const auto sent = write_some(bytes);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  /// Closes this side of the connection; replies can still be received.
  void shut_down_sending() const { ::shutdown(socket_, SHUT_WR); }
  void close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }

  /// Reads a reply, and skips interim ones. `has_body` is false for replies to HEAD.
  ClientReply receive(bool has_body = true) {
    ClientReply reply;
    std::size_t end = 0;
    while ((end = pending_.find("\r\n\r\n")) == std::string::npos) {
      if (!receive_some()) return reply;
    }
    reply.header = pending_.substr(0, end + 2);
    pending_.erase(0, end + 4);
    const int status = std::stoi(reply.header.substr(reply.header.find(' ') + 1));
    if (status < 200) return receive(has_body);
    const auto length = has_body ? content_length(reply.header) : 0;
    while (pending_.size() < length) {
      if (!receive_some()) return reply;
    }
    reply.status = status;
    reply.body = pending_.substr(0, length);
    pending_.erase(0, length);
    return reply;
  }

  /// Returns true if the server closes the connection without sending anything more.
  bool is_closed() { return pending_.empty() && !receive_some(); }

  ClientReply get(const std::string& target) {
    send("GET " + target + " HTTP/1.1\r\nHost: test\r\n\r\n");
    return receive();
  }
  ClientReply post(const std::string& target, const std::string& body,
                   const std::string& type = "application/json") {
    send(post_request(target, body, type));
    return receive();
  }
  static std::string post_request(const std::string& target, const std::string& body,
                                  const std::string& type = "application/json") {
    return "POST " + target + " HTTP/1.1\r\nHost: test\r\nContent-Type: " + type +
           "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }

 protected:
  int socket() const { return socket_; }
  /// Return the number of bytes, or at most 0 if the connection is closed.
  virtual long write_some(std::string_view bytes) const {
    return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }
  virtual long read_some(char* buffer, std::size_t size) {
    return ::recv(socket_, buffer, size, 0);
  }

 private:
  static std::size_t content_length(const std::string& header) {
    const std::string name = "Content-Length: ";
    const auto found = header.find(name);
    return found == std::string::npos ? 0 : std::stoul(header.substr(found + name.size()));
  }

  bool receive_some() {
    char buffer[4096];
    const auto count = read_some(buffer, sizeof buffer);
    if (count <= 0) return false;
    pending_.append(buffer, static_cast<std::size_t>(count));
    return true;
  }

  int socket_;
  bool is_connected_ = false;
  std::string pending_;  // received, but not returned yet
};

}  // namespace tfm
