#include "tfm/training/averaging.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "tfm/config/config_diff.h"
#include "tfm/config/config_file.h"
#include "tfm/core/error.h"
#include "tfm/data/language_counts.h"
#include "tfm/model/model_folder.h"
#include "tfm/model/model_record.h"
#include "tfm/model/new_folder.h"
#include "tfm/run/checkpoint_store.h"
#include "tfm/run/model_changes.h"
#include "tfm/run/scores_by_step.h"
#include "tfm/training/checkpoint_contents.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

/// Throws ModelError if the folder is neither a model folder nor a checkpoint of a run.
void require_model(const fs::path& folder) {
  if (fs::exists(folder / weights_file) && fs::exists(description_folder(folder) / config_file))
    return;
  throw ModelError(folder.string(), "is neither a model folder nor a checkpoint",
                   "Give model folders or checkpoints of a run.");
}

void require_same_vocabulary(const TokenizerPair& first, const fs::path& first_folder,
                             const fs::path& folder) {
  const auto place = description_folder(folder);
  if (fs::equivalent(place, description_folder(first_folder))) return;
  const auto other = load_tokenizers(load_config(place / config_file).tokenizer, place);
  if (!vocabulary_difference(*first.source, *other.source) &&
      !vocabulary_difference(*first.target, *other.target))
    return;
  throw ModelError(folder.string(), "has another vocabulary than " + first_folder.string(),
                   "Average models with the same vocabulary.");
}

/// Compares configs, because weights of equal shapes may still belong to networks with different
/// activation functions or numbers of heads.
void require_same_architecture(const Config& first, const fs::path& first_folder,
                               const fs::path& folder) {
  const auto differences = to_table(diff_configs(
      first, load_config(description_folder(folder) / config_file), Effect::shapes_model));
  if (differences.empty()) return;
  throw ModelError(
      folder.string(),
      fmt::format("has another architecture than {}:{}", first_folder.string(), differences),
      "Average models with the same architecture.");
}

void require_same_shapes(const StateDict& first, const fs::path& first_folder,
                         const fs::path& folder) {
  const auto other = read_safetensors(folder / weights_file).tensors;
  for (const auto& [name, tensor] : first) {
    const auto found = other.find(name);
    if (found != other.end() && found->second.sizes() == tensor.sizes() &&
        other.size() == first.size())
      continue;
    throw ModelError(
        folder.string(),
        fmt::format("has another architecture than {}: see {}", first_folder.string(), name),
        "Average models with the same architecture.");
  }
}

/// Returns the record of an averaged model. Its alignment head is that of the first model, because
/// averaging preserves the roles of heads.
ModelRecord averaged_record(const std::vector<fs::path>& folders, const fs::path& description) {
  ModelRecord record{.tfm = TFM_VERSION};
  for (const auto& folder : folders) record.average_of.push_back(folder.string());
  if (const auto first = read_record(description)) record.alignment = first->alignment;
  return record;
}

}  // namespace

std::vector<fs::path> select_checkpoints(const fs::path& run_folder,
                                         const CheckpointSelection& choice) {
  auto kept = CheckpointStore(run_folder).list_usable();
  std::erase_if(
      kept,
      // An interruption before the first update leaves a checkpoint with untrained weights.
      [](const fs::path& checkpoint) { return CheckpointStore::step_in_name(checkpoint) == 0; });
  const auto wanted = static_cast<std::size_t>(std::max(choice.last, choice.best));
  if (choice.best > 0) {
    const auto scores = scores_by_step(run_folder);
    std::erase_if(kept, [&](const fs::path& checkpoint) {
      return !scores.contains(CheckpointStore::step_in_name(checkpoint));
    });
    std::ranges::stable_sort(kept, {},
                             // puts the best checkpoints last
                             [&](const fs::path& checkpoint) {
                               return scores.at(CheckpointStore::step_in_name(checkpoint));
                             });
  }
  if (kept.size() < std::max<std::size_t>(1, wanted)) {
    throw ModelError(
        run_folder.string(),
        fmt::format("keeps {} {}checkpoints", kept.size(), choice.best > 0 ? "validated " : ""),
        "Average fewer checkpoints, or train with a higher training.keep_checkpoints.");
  }
  if (wanted > 0) kept.erase(kept.begin(), kept.end() - static_cast<std::ptrdiff_t>(wanted));
  std::ranges::sort(kept);
  return kept;
}

void average_models(const std::vector<fs::path>& named, const fs::path& output) {
  std::vector<fs::path> folders;
  std::ranges::transform(named, std::back_inserter(folders), absolute_name);
  require_free_folder(output);
  for (const auto& folder : folders) require_model(folder);
  const auto description = description_folder(folders.front());
  const auto config = load_config(description / config_file);
  const auto tokenizers = load_tokenizers(config.tokenizer, description);
  for (const auto& folder : folders) require_same_architecture(config, folders.front(), folder);
  for (const auto& folder : folders) require_same_vocabulary(tokenizers, folders.front(), folder);
  const auto first = read_safetensors(folders.front() / weights_file).tensors;
  for (const auto& folder : folders) require_same_shapes(first, folders.front(), folder);
  const auto mean = average_weights(folders);
  const NewFolder unfinished(output);
  save_config_and_tokenizers(unfinished.path(), config, tokenizers);
  write_language_counts(unfinished.path(), read_language_counts(description));
  write_safetensors(unfinished.path() / weights_file, mean);
  write_record(unfinished.path(), averaged_record(named, description));
  unfinished.commit();
}

}  // namespace tfm
