#include "tfm/training/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tfm/core/error.h"
#include "tfm/core/files.h"
#include "tfm/core/log.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* weights_name = "model.safetensors";
constexpr const char* optimizer_name = "optimizer.safetensors";
constexpr const char* progress_name = "progress.json";
constexpr const char* prefix = "step-";

std::string to_json(const Progress& progress) {
  json object = {{"step", progress.step},
                 {"epoch", progress.position.epoch},
                 {"next_batch", progress.position.next},
                 {"seconds", progress.seconds},
                 {"epoch_loss", progress.epoch_loss},
                 {"epoch_tokens", progress.epoch_tokens},
                 {"best_step", progress.best_step},
                 {"validations_without_gain", progress.validations_without_gain},
                 {"validated_step", progress.validated_step},
                 {"data_checksum", progress.data_checksum}};
  if (progress.best_score) object["best_score"] = *progress.best_score;
  return object.dump(2) + "\n";
}

Progress progress_from(const fs::path& file) {
  try {
    const auto object = json::parse(read_file(file));
    Progress progress;
    progress.step = object.at("step");
    progress.position = {object.at("epoch"), object.at("next_batch")};
    progress.seconds = object.at("seconds");
    progress.epoch_loss = object.at("epoch_loss");
    progress.epoch_tokens = object.at("epoch_tokens");
    progress.best_step = object.at("best_step");
    progress.validations_without_gain = object.at("validations_without_gain");
    progress.validated_step = object.at("validated_step");
    progress.data_checksum = object.at("data_checksum");
    if (object.contains("best_score")) progress.best_score = object.at("best_score").get<double>();
    return progress;
  } catch (const json::exception& error) {
    throw ModelError(file.string(), std::string("is no valid progress file: ") + error.what(),
                     "Remove this checkpoint: the run goes on from the one before.");
  }
}

at::Generator generator_of(torch::Device device) {
  return device.is_cuda() ? at::globalContext().defaultGenerator(device) : at::detail::getDefaultCPUGenerator();
}

std::string generator_name(torch::Device device) { return device.is_cuda() ? "random_generator.cuda" : "random_generator.cpu"; }

torch::Device device_of(const Transformer& network) { return network->parameters().front().device(); }

}  // namespace

Checkpoints::Checkpoints(const fs::path& run_folder) : folder_(run_folder / "checkpoints") {}

void Checkpoints::save(const Progress& progress, const Transformer& network, const Optimizer& optimizer, std::int64_t keep) const {
  const fs::path final_name = folder_ / fmt::format("{}{:08}", prefix, progress.step);
  const fs::path unfinished = folder_ / "unfinished";
  fs::remove_all(unfinished);  // what a crash may have left
  make_folder(unfinished);
  auto state = optimizer.state();
  state[generator_name(device_of(network))] = generator_of(device_of(network)).get_state();
  write_safetensors(unfinished / weights_name, named_parameters(*network));
  write_safetensors(unfinished / optimizer_name, state);
  write_file(unfinished / progress_name, to_json(progress));
  fs::remove_all(final_name);  // the same step again: after a resume with nothing new
  fs::rename(unfinished, final_name);
  auto all = list();
  while (static_cast<std::int64_t>(all.size()) > std::max<std::int64_t>(1, keep)) {
    fs::remove_all(all.front());
    all.erase(all.begin());
  }
}

void Checkpoints::save_progress(const Progress& progress) const { write_file(list().back() / progress_name, to_json(progress)); }

std::vector<fs::path> Checkpoints::list() const {
  std::vector<fs::path> found;
  std::error_code none;  // no folder yet: no checkpoints
  for (const auto& entry : fs::directory_iterator(folder_, none)) {
    if (entry.path().filename().string().starts_with(prefix)) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

Progress Checkpoints::load(const fs::path& checkpoint, Transformer& network, Optimizer& optimizer) {
  auto progress = progress_from(checkpoint / progress_name);
  load_parameters(*network, read_safetensors(checkpoint / weights_name).tensors, checkpoint / weights_name);
  const auto state = read_safetensors(checkpoint / optimizer_name).tensors;
  optimizer.load_state(state, checkpoint / optimizer_name);
  const auto random = state.find(generator_name(device_of(network)));
  if (random == state.end()) {
    spdlog::warn("{} was saved on another kind of device: random numbers begin anew", checkpoint.string());
    return progress;
  }
  auto generator = generator_of(device_of(network));
  generator.set_state(random->second.clone());
  return progress;
}

NamedTensors average_weights(const std::vector<fs::path>& checkpoints) {
  NamedTensors mean;
  for (const auto& checkpoint : checkpoints) {
    for (const auto& [name, tensor] : read_safetensors(checkpoint / weights_name).tensors) {
      const auto share = tensor.to(torch::kFloat64) / static_cast<double>(checkpoints.size());
      mean[name] = mean.contains(name) ? mean[name] + share : share;
    }
  }
  for (auto& [name, tensor] : mean) tensor = tensor.to(torch::kFloat32);
  return mean;
}

}  // namespace tfm
