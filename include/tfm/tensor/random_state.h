// The states of LibTorch's global random generators: saved, restored, and rewound for a while.
#pragma once

#include <torch/types.h>

#include <utility>
#include <vector>

namespace tfm {

/// The state of a device's global generator, as a tensor of bytes.
torch::Tensor generator_state(torch::Device device);
/// From now on the device's global generator draws as it did after generator_state gave this state.
void set_generator_state(torch::Device device, const torch::Tensor& state);

/// The states of the generators that a network on a device draws from: the CPU's (keys of dropout,
/// layer dropout) and the device's own.
class RandomState {
 public:
  static RandomState now(torch::Device device);
  void restore() const;

 private:
  std::vector<std::pair<torch::Device, torch::Tensor>> states_;
};

/// While it lives, random numbers are drawn as from another state; afterwards as if nothing had
/// been drawn meanwhile.
class RandomStateGuard {
 public:
  /// Leaves the state as it is until something draws.
  explicit RandomStateGuard(torch::Device device) : previous_(RandomState::now(device)) {}
  RandomStateGuard(const RandomState& state, torch::Device device) : RandomStateGuard(device) {
    state.restore();
  }
  ~RandomStateGuard() { previous_.restore(); }
  RandomStateGuard(const RandomStateGuard&) = delete;
  RandomStateGuard& operator=(const RandomStateGuard&) = delete;

 private:
  RandomState previous_;
};

}  // namespace tfm
