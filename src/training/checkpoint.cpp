#include "tfm/training/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/model/manifest.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* weights_name = "model.safetensors";
constexpr const char* optimizer_name = "optimizer.safetensors";
constexpr const char* progress_name = "progress.json";
constexpr const char* prefix = "step-";
constexpr const char* damaged_prefix = "damaged-";

std::string to_json(const TrainerState& progress) {
  json object = {{"step", progress.step},
                 {"epoch", progress.position.epoch},
                 {"next_batch", progress.position.next},
                 {"seconds", progress.seconds},
                 {"epoch_loss", progress.epoch_loss},
                 {"epoch_tokens", progress.epoch_tokens},
                 {"report_loss", progress.report_loss},
                 {"report_tokens", progress.report_tokens},
                 {"best_step", progress.best_step},
                 {"validations_without_gain", progress.validations_without_gain},
                 {"validated_step", progress.validated_step},
                 {"averaged_step", progress.averaged_step},
                 {"scoreless_step", progress.scoreless_step},
                 {"data_checksum", progress.data_fingerprint},
                 {"score_checksum", progress.metric_fingerprint},
                 {"asked_for", progress.asked_for},
                 {"updates_left_out", progress.divergence.left_out},
                 {"rollbacks", progress.divergence.rollbacks},
                 {"diverged_step", progress.divergence.step},
                 {"rolled_back_to", progress.divergence.back_to},
                 {"learning_rate_factor", progress.divergence.rate_factor}};
  if (progress.best_score) object["best_score"] = *progress.best_score;
  return object.dump(2) + "\n";
}

TrainerState progress_from(const fs::path& file) {
  try {
    const auto object = json::parse(read_file(file));
    TrainerState progress;
    progress.step = object.at("step");
    progress.position = {object.at("epoch"), object.at("next_batch")};
    progress.seconds = object.at("seconds");
    progress.epoch_loss = object.at("epoch_loss");
    progress.epoch_tokens = object.at("epoch_tokens");
    // what has a default here is not in checkpoints of earlier versions
    progress.report_loss = object.value("report_loss", 0.0);
    progress.report_tokens = object.value("report_tokens", std::int64_t{0});
    progress.best_step = object.at("best_step");
    progress.validations_without_gain = object.at("validations_without_gain");
    progress.validated_step = object.at("validated_step");
    progress.averaged_step = object.value("averaged_step", std::int64_t{-1});
    progress.scoreless_step = object.value("scoreless_step", std::int64_t{-1});
    progress.data_fingerprint = object.at("data_checksum");
    progress.metric_fingerprint = object.value("score_checksum", std::uint32_t{0});
    progress.asked_for = object.value("asked_for", true);
    progress.divergence = {.left_out = object.at("updates_left_out"),
                           .rollbacks = object.at("rollbacks"),
                           .step = object.at("diverged_step"),
                           .back_to = object.value("rolled_back_to", std::int64_t{-1}),
                           .rate_factor = object.at("learning_rate_factor")};
    if (object.contains("best_score")) progress.best_score = object.at("best_score").get<double>();
    return progress;
  } catch (const json::exception& error) {
    throw ModelError(file.string(), std::string("is no valid progress file: ") + error.what(),
                     "Remove this checkpoint: the run goes on from the one before.");
  }
}

at::Generator generator_of(torch::Device device) {
  return device.is_cuda() ? at::globalContext().defaultGenerator(device)
                          : at::detail::getDefaultCPUGenerator();
}

std::string generator_name(torch::Device device) {
  return device.is_cuda() ? "random_generator.cuda" : "random_generator.cpu";
}

/// Layer dropout draws on the CPU wherever the network is.
std::vector<torch::Device> generator_devices(const Transformer& network) {
  const auto device = network->parameters().front().device();
  return device.is_cpu() ? std::vector{device} : std::vector{device, torch::Device(torch::kCPU)};
}

/// Renamed before it is removed: a kill in between leaves nothing that looks like a checkpoint with
/// files missing.
void discard(const fs::path& checkpoint) {
  const auto removed = checkpoint.parent_path() / "removed";
  remove_tree(removed);
  replace_folder(checkpoint, removed);
  remove_tree(removed);
}

/// By its name: a copy that somebody made of one is none.
bool is_checkpoint(const fs::path& folder) {
  const auto name = folder.filename().string();
  return name.starts_with(prefix) && name.size() > std::strlen(prefix) &&
         name.find_first_not_of("0123456789", std::strlen(prefix)) == name.npos;
}

/// What is wrong with a checkpoint's files, if anything.
std::optional<std::string> find_corruption(const fs::path& checkpoint) {
  try {
    verify_manifest(checkpoint);
    return std::nullopt;
  } catch (const ModelError& error) {
    const std::string text = error.what();
    return text.substr(0, text.find('\n'));  // without the advice: this is being seen to
  }
}

/// True where its progress can't be read: what is wrong with it is for others to say.
bool was_asked_for(const fs::path& checkpoint) {
  try {
    return progress_from(checkpoint / progress_name).asked_for;
  } catch (const Error&) {
    return true;
  }
}

struct Saved {
  fs::path folder;
  TrainerState progress;
};

/// Those of these that are as they were written and not saved amid updates that were left out;
/// damaged ones are named on the log.
std::vector<Saved> sound(const std::vector<fs::path>& checkpoints) {
  std::vector<Saved> found;
  for (const auto& checkpoint : checkpoints) {
    if (const auto damage = find_corruption(checkpoint)) {
      spdlog::warn("damaged checkpoint: {}", *damage);
      continue;
    }
    auto progress = progress_from(checkpoint / progress_name);
    if (progress.divergence.left_out == 0) found.push_back({checkpoint, std::move(progress)});
  }
  return found;
}

std::vector<fs::path> folders_of(const std::vector<Saved>& checkpoints) {
  std::vector<fs::path> folders;
  std::ranges::transform(checkpoints, std::back_inserter(folders), &Saved::folder);
  return folders;
}

std::vector<Saved> asked_for(std::vector<Saved> checkpoints) {
  std::erase_if(checkpoints, [](const Saved& saved) { return !saved.progress.asked_for; });
  return checkpoints;
}

void quarantine(const std::vector<fs::path>& damaged, const fs::path& good) {
  for (const auto& checkpoint : damaged) {
    replace_folder(checkpoint,
                   checkpoint.parent_path() / (damaged_prefix + checkpoint.filename().string()));
  }
  if (!damaged.empty())
    spdlog::warn(
        "going back to {}, the newest good checkpoint; damaged ones were renamed damaged-*",
        good.string());
}

}  // namespace

Checkpoints::Checkpoints(const fs::path& run_folder) : folder_(run_folder / "checkpoints") {}

std::vector<std::int64_t> RetentionPolicy::kept(std::vector<Entry> checkpoints) const {
  if (checkpoints.empty()) return {};
  const auto most = std::max<std::int64_t>(1, count);
  const auto oldest = [&](bool asked_for) {
    return std::ranges::find(checkpoints.begin(), checkpoints.end() - 1, asked_for,
                             &Entry::asked_for);
  };
  // the newest stays in any case
  const auto none = [&](auto found) { return found == checkpoints.end() - 1; };
  while ((only_asked_for || std::ssize(checkpoints) > most) && !none(oldest(false)))
    checkpoints.erase(oldest(false));
  while (std::ranges::count(checkpoints, true, &Entry::asked_for) > most)
    checkpoints.erase(oldest(true));
  std::vector<std::int64_t> steps;
  for (const auto& checkpoint : checkpoints) steps.push_back(checkpoint.step);
  return steps;
}

/// Under its name at one stroke, when all of it is on disk.
void Checkpoints::put_in_place(const fs::path& checkpoint,
                               const std::function<void(const fs::path& unfinished)>& fill) const {
  const fs::path unfinished = folder_ / "unfinished";
  try {
    remove_tree(unfinished);  // what a crash may have left
    make_folder(unfinished);
    fill(unfinished);
    write_manifest(unfinished, {weights_name, optimizer_name, progress_name});
    replace_folder(unfinished, checkpoint);
  } catch (...) {
    std::error_code none;  // what led here is the error to report
    fs::remove_all(unfinished, none);
    throw;
  }
}

void Checkpoints::save(const TrainerState& progress, const Transformer& network,
                       const Optimizer& optimizer, const RetentionPolicy& keep) const {
  put_in_place(folder_ / fmt::format("{}{:08}", prefix, progress.step),
               [&](const fs::path& unfinished) {
                 auto state = optimizer.state();
                 for (const auto device : generator_devices(network))
                   state[generator_name(device)] = generator_of(device).get_state();
                 write_safetensors(unfinished / weights_name, state_dict(*network));
                 write_safetensors(unfinished / optimizer_name, state);
                 write_file(unfinished / progress_name, to_json(progress));
               });
  // else: what training may have to go back to stays
  if (progress.divergence.left_out == 0) remove_old(keep);
}

void Checkpoints::remove_old(const RetentionPolicy& keep) const {
  std::vector<RetentionPolicy::Entry> entries;
  const auto all = list();
  for (const auto& checkpoint : all)
    entries.push_back({step_of(checkpoint), was_asked_for(checkpoint)});
  const auto kept = keep.kept(entries);
  for (const auto& checkpoint : all) {
    if (!std::ranges::binary_search(kept, step_of(checkpoint))) discard(checkpoint);
  }
}

void Checkpoints::save_progress(const TrainerState& progress) const {
  const auto newest = list().back();
  if (find_corruption(newest)) return;  // a new manifest would make it look whole
  put_in_place(newest, [&](const fs::path& unfinished) {
    for (const auto* name : {weights_name, optimizer_name}) {
      std::error_code no_links;  // the file system may have none
      fs::create_hard_link(newest / name, unfinished / name, no_links);
      if (no_links) write_file(unfinished / name, read_file(newest / name));
    }
    write_file(unfinished / progress_name, to_json(progress));
  });
}

void Checkpoints::recover() const { recover_replaced_folder(folder_); }

std::vector<fs::path> Checkpoints::list() const {
  std::vector<fs::path> found;
  std::error_code none;  // no folder yet: no checkpoints
  for (const auto& entry : fs::directory_iterator(folder_, none)) {
    if (is_checkpoint(entry.path())) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<fs::path> Checkpoints::list_valid() const { return folders_of(sound(list())); }

std::vector<fs::path> Checkpoints::list_averageable() const {
  return folders_of(asked_for(sound(list())));
}

std::int64_t Checkpoints::step_of(const fs::path& checkpoint) {
  return std::stoll(checkpoint.filename().string().substr(std::strlen(prefix)));
}

std::optional<fs::path> Checkpoints::latest_valid() const {
  const auto all = list();
  std::vector<fs::path> damaged;
  std::string damages;
  for (auto checkpoint = all.rbegin(); checkpoint != all.rend(); ++checkpoint) {
    const auto damage = find_corruption(*checkpoint);
    if (!damage) {
      quarantine(damaged, *checkpoint);
      return *checkpoint;
    }
    spdlog::error("damaged checkpoint: {}", *damage);
    damages += "\n  " + *damage;
    damaged.push_back(*checkpoint);
  }
  if (all.empty()) return std::nullopt;
  throw ModelError(folder_.string(), "no checkpoint is good:" + damages,
                   "Put a copy of one back, or begin anew in another training.run_folder "
                   "(training.init_from can begin it with this run's "
                   "model.safetensors, the best so far).");
}

std::optional<fs::path> Checkpoints::go_back(std::optional<std::int64_t> before) const {
  const auto saved = sound(list());
  auto good = folders_of(asked_for(saved));  // as without interruptions
  if (good.empty()) good = folders_of(saved);
  if (good.empty()) return std::nullopt;
  const auto oldest = good.front();
  if (before)
    std::erase_if(good, [&](const fs::path& checkpoint) { return step_of(checkpoint) >= *before; });
  const auto target = good.empty() ? oldest : good.back();
  for (const auto& checkpoint : list()) {
    if (checkpoint > target) discard(checkpoint);
  }
  return target;
}

TrainerState Checkpoints::load(const fs::path& checkpoint, Transformer& network,
                               Optimizer& optimizer) {
  verify_manifest(checkpoint);
  auto progress = progress_from(checkpoint / progress_name);
  load_state_dict(*network, read_safetensors(checkpoint / weights_name).tensors,
                  checkpoint / weights_name);
  const auto state = read_safetensors(checkpoint / optimizer_name).tensors;
  optimizer.load_state(state, checkpoint / optimizer_name);
  for (const auto device : generator_devices(network)) {
    const auto random = state.find(generator_name(device));
    if (random == state.end()) {
      spdlog::warn("{} was saved on another kind of device: random numbers begin anew",
                   checkpoint.string());
      break;
    }
    auto generator = generator_of(device);
    generator.set_state(random->second.clone());
  }
  return progress;
}

StateDict average_weights(const std::vector<fs::path>& checkpoints) {
  StateDict mean;
  for (const auto& checkpoint : checkpoints) {
    if (is_checkpoint(checkpoint)) verify_manifest(checkpoint);  // a model folder has no manifest
    for (const auto& [name, tensor] : read_safetensors(checkpoint / weights_name).tensors) {
      const auto share = tensor.to(torch::kFloat64) / static_cast<double>(checkpoints.size());
      mean[name] = mean.contains(name) ? mean[name] + share : share;
    }
  }
  for (auto& [name, tensor] : mean) tensor = tensor.to(torch::kFloat32);
  return mean;
}

}  // namespace tfm
