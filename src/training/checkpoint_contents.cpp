#include "tfm/training/checkpoint_contents.h"

#include <string>

#include "tfm/core/log.h"
#include "tfm/model/manifest.h"
#include "tfm/run/checkpoint_store.h"
#include "tfm/tensor/random_state.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

std::string generator_name(torch::Device device) {
  return "random_generator." + c10::DeviceTypeName(device.type(), /*lower_case=*/true);
}

torch::Device device_of(const Transformer& network) {
  return network->parameters().front().device();
}

}  // namespace

void write_tensors(const fs::path& checkpoint, const Transformer& network,
                   const Optimizer& optimizer) {
  auto state = optimizer.state();
  for (const auto device : generator_devices(device_of(network)))
    state[generator_name(device)] = generator_state(device);
  write_safetensors(checkpoint / weights_file, state_dict(*network));
  write_safetensors(checkpoint / optimizer_file, state);
}

void read_tensors(const fs::path& checkpoint, Transformer& network, Optimizer& optimizer) {
  load_state_dict(*network, read_safetensors(checkpoint / weights_file).tensors,
                  checkpoint / weights_file);
  const auto state = read_safetensors(checkpoint / optimizer_file).tensors;
  optimizer.load_state(state, checkpoint / optimizer_file);
  for (const auto device : generator_devices(device_of(network))) {
    const auto random = state.find(generator_name(device));
    if (random == state.end()) {
      log_warn("{} was saved on another kind of device: its random generators are not restored",
               checkpoint.string());
      break;
    }
    set_generator_state(device, random->second.clone());
  }
}

StateDict average_weights(const std::vector<fs::path>& checkpoints) {
  StateDict mean;
  for (const auto& checkpoint : checkpoints) {
    // A model folder need not have a manifest.
    if (CheckpointStore::is_checkpoint(checkpoint)) verify_manifest(checkpoint);
    for (const auto& [name, tensor] : read_safetensors(checkpoint / weights_file).tensors) {
      const auto share = tensor.to(torch::kFloat64) / static_cast<double>(checkpoints.size());
      mean[name] = mean.contains(name) ? mean[name] + share : share;
    }
  }
  for (auto& [name, tensor] : mean) tensor = tensor.to(torch::kFloat32);
  return mean;
}

}  // namespace tfm
