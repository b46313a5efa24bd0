#include "tfm/tensor/random_state.h"

#include <ATen/Context.h>

#include <mutex>

#include "tfm/tensor/device.h"

namespace tfm {
namespace {

at::Generator global_generator(torch::Device device) {
  return at::globalContext().defaultGenerator(device);
}

}  // namespace

std::vector<torch::Device> generator_devices(torch::Device device) {
  std::vector<torch::Device> devices;
  if (has_own_generator(device)) devices.push_back(device);
  devices.emplace_back(torch::kCPU);
  return devices;
}

torch::Tensor generator_state(torch::Device device) {
  auto generator = global_generator(device);
  const std::lock_guard lock(generator.mutex());
  return generator.get_state();
}

void set_generator_state(torch::Device device, const torch::Tensor& state) {
  auto generator = global_generator(device);
  const std::lock_guard lock(generator.mutex());
  generator.set_state(state);
}

RandomState RandomState::now(torch::Device device) {
  RandomState state;
  for (const auto each : generator_devices(device))
    state.states_.emplace_back(each, generator_state(each));
  return state;
}

void RandomState::restore() const {
  for (const auto& [device, state] : states_) set_generator_state(device, state);
}

}  // namespace tfm
