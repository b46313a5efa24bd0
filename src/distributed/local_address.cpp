#include "local_address.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "tfm/core/error.h"

namespace tfm {
namespace {

class Socket {
 public:
  Socket(int family, int type) : descriptor_(::socket(family, type | SOCK_CLOEXEC, 0)) {}
  ~Socket() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  int descriptor() const { return descriptor_; }
  int release() { return std::exchange(descriptor_, -1); }

 private:
  int descriptor_;
};

using AddressList = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

AddressList resolve(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  const int status = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (status != 0)
    throw CommunicationError("MASTER_ADDR", host + ": " + ::gai_strerror(status),
                             "Name a host that this machine can reach.");
  return {found, &::freeaddrinfo};
}

}  // namespace

std::string address_towards(const std::string& host, std::uint16_t port) {
  const auto addresses = resolve(host, port);
  for (const addrinfo* at = addresses.get(); at != nullptr; at = at->ai_next) {
    // connecting a datagram socket looks up the route but sends nothing
    const Socket probe(at->ai_family, SOCK_DGRAM);
    if (probe.descriptor() < 0 || ::connect(probe.descriptor(), at->ai_addr, at->ai_addrlen) != 0)
      continue;
    sockaddr_storage own{};
    socklen_t length = sizeof own;
    std::array<char, NI_MAXHOST> text{};
    if (::getsockname(probe.descriptor(), reinterpret_cast<sockaddr*>(&own), &length) == 0 &&
        ::getnameinfo(reinterpret_cast<sockaddr*>(&own), length, text.data(), text.size(), nullptr,
                      0, NI_NUMERICHOST) == 0) {
      return text.data();
    }
  }
  throw CommunicationError("MASTER_ADDR", host + ": no route from this machine",
                           "Name a host that this machine can reach.");
}

std::uint16_t free_port() {
  const Socket socket(AF_INET, SOCK_STREAM);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(socket.descriptor(), generic, length) != 0 ||
      ::getsockname(socket.descriptor(), generic, &length) != 0) {
    throw CommunicationError("127.0.0.1",
                             std::string("no port is available: ") + std::strerror(errno));
  }
  return ntohs(address.sin_port);
}

int listen_on(const std::string& host, std::uint16_t port) {
  const auto addresses = resolve(host, port);
  for (const addrinfo* at = addresses.get(); at != nullptr; at = at->ai_next) {
    Socket socket(at->ai_family, SOCK_STREAM);
    if (socket.descriptor() < 0) continue;
    const int on = 1;  // lets a restarted run use the port that the previous run has closed
    ::setsockopt(socket.descriptor(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (::bind(socket.descriptor(), at->ai_addr, at->ai_addrlen) == 0 &&
        ::listen(socket.descriptor(), SOMAXCONN) == 0)
      return socket.release();
    if (errno == EADDRINUSE)
      throw CommunicationError(host + ":" + std::to_string(port), "the port is in use",
                               "Set MASTER_PORT to another one.");
  }
  return -1;
}

}  // namespace tfm
