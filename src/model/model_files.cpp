#include "tfm/model/model_files.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <ranges>
#include <vector>

#include "tfm/config/config_file.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"

namespace tfm {

namespace fs = std::filesystem;

fs::path absolute_name(const fs::path& folder) {
  const auto name = fs::absolute(folder).lexically_normal();
  return name.has_filename() ? name : name.parent_path();
}

fs::path description_folder(const fs::path& folder) {
  if (fs::exists(folder / config_file) || !fs::exists(folder / weights_file)) return folder;
  const auto run = absolute_name(folder).parent_path().parent_path();
  return fs::exists(run / config_file) ? run : folder;
}

void save_config_and_tokenizers(const fs::path& folder, const Config& config,
                                const TokenizerPair& tokenizers) {
  make_folder(folder);
  write_file(folder / config_file, write_config(config));
  save_tokenizers(tokenizers, folder);
}

namespace {

struct FoundModel {
  fs::path folder;
  fs::file_time_type time;  // when the model's weights were last written
};

/// Returns the models in the folder `parent`, those with the newest weights first. Returns an empty
/// list if the folder does not exist.
std::vector<FoundModel> models_in(const fs::path& parent) {
  std::vector<FoundModel> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    std::error_code none;
    const auto time = fs::last_write_time(entry.path() / weights_file, none);
    if (!none) found.push_back({entry.path().lexically_normal(), time});
  }
  std::ranges::sort(found, std::ranges::greater(), &FoundModel::time);
  return found;
}

/// Returns the newest checkpoint of a run that has weights; an empty path if there is none.
fs::path newest_checkpoint(const fs::path& run) {
  fs::path newest;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(run / "checkpoints", ignored)) {
    const auto& folder = entry.path();
    const bool is_checkpoint = folder.filename().string().starts_with("step-");
    // Names have leading zeros, so they sort like their steps.
    if (is_checkpoint && fs::exists(folder / weights_file)) newest = std::max(newest, folder);
  }
  return newest;
}

/// Returns a sentence without its full stop that says how to get a model.
std::string how_to_train() {
  return "Train one: `tfm config init` writes a config for your files, `tfm train CONFIG` trains";
}

}  // namespace

fs::path default_model(const fs::path& runs) {
  if (const char* named = std::getenv("TFM_MODEL"); named != nullptr && *named != '\0')
    return named;
  const auto models = models_in(runs);
  if (models.empty())
    throw ModelError(
        "", "no model: $TFM_MODEL is not set and " + runs.string() + " contains no trained run",
        how_to_train() + ", or name one with --model FOLDER.");
  return models.front().folder;
}

void require_model_folder(const fs::path& folder) {
  if (!fs::is_directory(folder))
    throw ModelError(folder.string(), "is not a model folder",
                     "Give the folder that training wrote. " + suggest_models(folder));
  for (const auto& file : {description_folder(folder) / config_file, folder / weights_file}) {
    if (fs::exists(file)) continue;
    const std::string places =
        newest_checkpoint(folder).empty()
            ? "Give a run folder, a model folder, or a checkpoint in its run folder. "
            : "";
    throw ModelError(
        folder.string(), "holds no " + file.filename().string(),
        places + "A run has no model before its first validation. " + suggest_models(folder));
  }
}

std::string suggest_models(const fs::path& wrong, const fs::path& runs) {
  constexpr std::size_t most = 5;
  if (const auto checkpoint = newest_checkpoint(wrong); !checkpoint.empty())
    return "To use this one, name its newest checkpoint: " + checkpoint.string() + ".";
  const auto parent = wrong.has_parent_path() ? wrong.parent_path() : fs::path(".");
  auto models = models_in(parent);
  std::error_code none;  // equivalent() returns false if one of the folders is missing
  if (!fs::equivalent(parent, runs, none))
    std::ranges::copy(models_in(runs), std::back_inserter(models));
  if (models.empty()) return "There is no run here. " + how_to_train() + ".";
  std::ranges::sort(models, std::ranges::greater(), &FoundModel::time);
  std::string names;
  for (const auto& model : models | std::views::take(most))
    names += (names.empty() ? "" : ", ") + model.folder.string();
  return "Runs here: " + names + ".";
}

}  // namespace tfm
