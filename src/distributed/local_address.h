// Which of this machine's addresses another machine answers to: the one that the kernel would send
// from.
#pragma once

#include <cstdint>
#include <string>

namespace tfm {

/// The local address of the route to host:port; nothing is sent. Throws CommunicationError where
/// the name has no address or there is no route.
std::string address_towards(const std::string& host, std::uint16_t port);

/// A TCP port of the loopback interface that nobody listens on now. Throws CommunicationError.
std::uint16_t free_port();

}  // namespace tfm
