#if TFM_HAS_C10D

#include <cstdlib>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include "backends.h"
#include "local_address.h"

namespace tfm {

/// Passes Gloo a local address, unless GLOO_SOCKET_IFNAME names a network interface. Gloo would
/// otherwise use the address to which the host's name resolves. On many machines, this is
/// 127.0.1.1, which other machines cannot reach.
c10::intrusive_ptr<c10d::Backend> open_gloo(const c10::intrusive_ptr<c10d::Store>& store,
                                            const RankEnvironment& environment,
                                            std::chrono::milliseconds timeout) {
  using c10d::ProcessGroupGloo;
  auto options = ProcessGroupGloo::Options::create(timeout);
  const char* interface = std::getenv("GLOO_SOCKET_IFNAME");
  if (interface != nullptr && *interface != '\0') {
    options->devices.push_back(ProcessGroupGloo::createDeviceForInterface(interface));
  } else {
    options->devices.push_back(ProcessGroupGloo::createDeviceForHostname(
        address_towards(environment.master_address, environment.master_port)));
  }
  return c10::make_intrusive<ProcessGroupGloo>(store, environment.rank, environment.size,
                                               std::move(options));
}

}  // namespace tfm

#endif
