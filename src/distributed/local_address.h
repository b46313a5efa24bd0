// Finds the address of this machine that another machine can reach, finds a free port, and opens a
// listening socket.
#pragma once

#include <cstdint>
#include <string>

namespace tfm {

/// Returns the local address from which the kernel would send to host:port; nothing is sent. Throws
/// CommunicationError if the host name cannot be resolved or there is no route to the host.
std::string address_towards(const std::string& host, std::uint16_t port);

/// Returns a TCP port of the loopback interface on which no process listens. Throws
/// CommunicationError if no port is free.
std::uint16_t free_port();

/// Returns a socket that listens on this address only. Returns -1 if this machine cannot listen on
/// the address, for example because the address belongs to a host that forwards the port to this
/// machine. Throws CommunicationError if the name has no address or the port is in use.
int listen_on(const std::string& host, std::uint16_t port);

}  // namespace tfm
