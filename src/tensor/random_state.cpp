#include "tfm/tensor/random_state.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>

#include <mutex>

namespace tfm {
namespace {

at::Generator global_generator(torch::Device device) {
  return device.is_cpu() ? at::detail::getDefaultCPUGenerator()
                         : at::globalContext().defaultGenerator(device);
}

}  // namespace

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
  state.states_.emplace_back(torch::kCPU, generator_state(torch::kCPU));
  if (!device.is_cpu()) state.states_.emplace_back(device, generator_state(device));
  return state;
}

void RandomState::restore() const {
  for (const auto& [device, state] : states_) set_generator_state(device, state);
}

}  // namespace tfm
