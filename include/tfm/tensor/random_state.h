// Saves and restores the states of LibTorch's global random generators, and switches to another
// state temporarily.
#pragma once

#include <torch/types.h>

#include <utility>
#include <vector>

namespace tfm {

/// Returns the devices whose generators a network on this device draws from: the device itself, if
/// it has its own generator, then the CPU (dropout keys, layer dropout).
std::vector<torch::Device> generator_devices(torch::Device device);

/// Returns the state of a device's global generator, as a tensor of bytes.
torch::Tensor generator_state(torch::Device device);
/// Restores a state that generator_state returned.
void set_generator_state(torch::Device device, const torch::Tensor& state);

/// The states of the generators that a network on a device draws from (generator_devices).
class RandomState {
 public:
  /// Returns the current states.
  static RandomState now(torch::Device device);
  /// Sets the generators to these states.
  void restore() const;

 private:
  std::vector<std::pair<torch::Device, torch::Tensor>> states_;
};

/// Saves the current state and restores it on destruction, as if no numbers had been drawn in
/// between. Restoring does not fail, because the generators have had this state before.
class RandomStateGuard {
 public:
  /// Saves the state without changing it.
  explicit RandomStateGuard(torch::Device device) : previous_(RandomState::now(device)) {}
  /// Saves the state and switches to `state` until destruction.
  RandomStateGuard(const RandomState& state, torch::Device device) : RandomStateGuard(device) {
    state.restore();
  }
  ~RandomStateGuard() { previous_.restore(); }  // NOLINT(bugprone-exception-escape)
  RandomStateGuard(const RandomStateGuard&) = delete;
  RandomStateGuard& operator=(const RandomStateGuard&) = delete;

 private:
  RandomState previous_;
};

}  // namespace tfm
