#include "tfm/run/checkpoint_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/model/manifest.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

constexpr const char* prefix = "step-";

/// Removes a checkpoint. It is renamed first, so that a kill during the removal does not leave a
/// checkpoint with missing files.
void discard(const fs::path& checkpoint) {
  const auto removed = temporary_name(checkpoint);
  replace_folder(checkpoint, removed);
  remove_tree(removed);
}

/// Returns what is wrong with a checkpoint's files; nullopt if they are valid.
std::optional<std::string> find_corruption(const fs::path& checkpoint) {
  try {
    verify_manifest(checkpoint);
    return std::nullopt;
  } catch (const ModelError& error) {
    return std::string(error.summary());  // without the hint, because the run recovers by itself
  }
}

SavedCheckpoint describe(const fs::path& checkpoint, const TrainerState& state) {
  return {.step = CheckpointStore::step_in_name(checkpoint),
          .scheduled = state.scheduled,
          .skipped_updates = state.divergence.skipped_updates};
}

/// Describes a checkpoint without verifying it. A checkpoint whose state can't be read counts as
/// scheduled; loading the checkpoint reports the error.
SavedCheckpoint describe_unverified(const fs::path& checkpoint) {
  try {
    return describe(checkpoint, read_state(checkpoint / state_file));
  } catch (const Error&) {
    return {.step = CheckpointStore::step_in_name(checkpoint)};
  }
}

struct StoredCheckpoint {
  fs::path folder;
  SavedCheckpoint saved;
};

/// Returns the valid checkpoints and logs the others. A checkpoint whose files are intact is still
/// invalid if its state can't be read, for example because another version wrote it.
std::vector<StoredCheckpoint> find_valid(const std::vector<fs::path>& checkpoints) {
  std::vector<StoredCheckpoint> found;
  for (const auto& checkpoint : checkpoints) {
    try {
      verify_manifest(checkpoint);
      found.push_back({checkpoint, describe(checkpoint, read_state(checkpoint / state_file))});
    } catch (const ModelError& error) {
      log_warn("corrupt checkpoint: {}", error.summary());
    }
  }
  return found;
}

template <typename Wanted>
std::vector<fs::path> select_folders(const std::vector<StoredCheckpoint>& checkpoints,
                                     Wanted wanted) {
  std::vector<fs::path> folders;
  for (const auto& checkpoint : checkpoints) {
    if (wanted(checkpoint.saved)) folders.push_back(checkpoint.folder);
  }
  return folders;
}

/// Renames the corrupt checkpoints and logs which valid one is used instead.
void quarantine(const std::vector<fs::path>& corrupt, const fs::path& newest_valid) {
  for (const auto& checkpoint : corrupt) {
    replace_folder(checkpoint,
                   checkpoint.parent_path() / (damaged_prefix + checkpoint.filename().string()));
  }
  if (!corrupt.empty())
    log_warn("using {}, the newest valid checkpoint; corrupt ones were renamed to damaged-*",
             newest_valid.string());
}

}  // namespace

CheckpointStore::CheckpointStore(const fs::path& run_folder)
    : folder_(run_folder / "checkpoints") {}

/// Writes the checkpoint under a temporary name and renames it when all of it is on disk.
void CheckpointStore::write_atomically(const fs::path& checkpoint, const Tensors& fill) const {
  make_folder(folder_);
  const ScratchFolder unfinished(checkpoint);
  fill(unfinished.path());
  write_manifest(unfinished.path(), {weights_file, optimizer_file, state_file});
  replace_folder(unfinished.path(), checkpoint);
}

void CheckpointStore::save(const TrainerState& state, const Tensors& write_tensors) const {
  write_atomically(folder_ / fmt::format("{}{:08}", prefix, state.step),
                   [&](const fs::path& unfinished) {
                     write_tensors(unfinished);
                     write_file(unfinished / state_file, to_json(state));
                   });
}

void CheckpointStore::remove_old(const RetentionPolicy& policy) const {
  std::vector<SavedCheckpoint> saved;
  const auto all = list();
  std::ranges::transform(all, std::back_inserter(saved), describe_unverified);
  const auto removed = to_remove(saved, policy);
  for (const auto& checkpoint : all) {
    if (std::ranges::binary_search(removed, step_in_name(checkpoint))) discard(checkpoint);
  }
}

void CheckpointStore::save_state(const TrainerState& state) const {
  const auto newest = list().back();
  if (find_corruption(newest)) return;  // a new manifest would hide the corruption
  write_atomically(newest, [&](const fs::path& unfinished) {
    for (const auto* name : {weights_file, optimizer_file}) {
      std::error_code no_links;  // the file system may not support hard links
      fs::create_hard_link(newest / name, unfinished / name, no_links);
      if (no_links) write_file(unfinished / name, read_file(newest / name));
    }
    write_file(unfinished / state_file, to_json(state));
  });
}

void CheckpointStore::recover() const {
  recover_replaced_folder(folder_);
  remove_stale_temporaries(folder_);
}

std::vector<fs::path> CheckpointStore::list() const {
  std::vector<fs::path> found;
  std::error_code none;  // if the folder is missing, there are no checkpoints
  for (const auto& entry : fs::directory_iterator(folder_, none)) {
    if (is_checkpoint(entry.path())) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<fs::path> CheckpointStore::list_usable() const {
  return select_folders(find_valid(list()),
                        [](const auto& saved) { return saved.skipped_updates == 0; });
}

std::vector<fs::path> CheckpointStore::list_averageable() const {
  return select_folders(find_valid(list()), [](const auto& saved) {
    return saved.skipped_updates == 0 && saved.scheduled;
  });
}

bool CheckpointStore::is_checkpoint(const fs::path& folder) {
  const auto name = folder.filename().string();
  constexpr std::size_t most_digits = 18;  // a number of 18 digits fits into an int64
  const std::size_t digits = name.size() - std::min(name.size(), std::strlen(prefix));
  return name.starts_with(prefix) && digits >= 1 && digits <= most_digits &&
         name.find_first_not_of("0123456789", std::strlen(prefix)) == name.npos;
}

std::int64_t CheckpointStore::step_in_name(const fs::path& checkpoint) {
  return std::stoll(checkpoint.filename().string().substr(std::strlen(prefix)));
}

std::optional<fs::path> CheckpointStore::latest_valid() const {
  const auto all = list();
  std::vector<fs::path> corrupt;
  std::string corruptions;
  for (auto checkpoint = all.rbegin(); checkpoint != all.rend(); ++checkpoint) {
    const auto corruption = find_corruption(*checkpoint);
    if (!corruption) {
      quarantine(corrupt, *checkpoint);
      return *checkpoint;
    }
    log_error("corrupt checkpoint: {}", *corruption);
    corruptions += "\n  " + *corruption;
    corrupt.push_back(*checkpoint);
  }
  if (all.empty()) return std::nullopt;
  throw ModelError(folder_.string(), "no valid checkpoint:" + corruptions,
                   "Restore a copy of one, or start a new run in another training.run_folder. "
                   "training.init_from can initialise it from this run's model.safetensors, "
                   "the best model so far.");
}

std::optional<fs::path> CheckpointStore::roll_back(const Divergence& divergence) const {
  const auto valid = find_valid(list());
  std::vector<SavedCheckpoint> saved;
  std::ranges::transform(valid, std::back_inserter(saved), &StoredCheckpoint::saved);
  const auto step = rollback_target(saved, divergence);
  if (!step) return std::nullopt;
  auto target = std::ranges::find(valid, *step, [](const StoredCheckpoint& checkpoint) {
                  return checkpoint.saved.step;
                })->folder;
  for (const auto& checkpoint : list()) {
    if (checkpoint > target) discard(checkpoint);
  }
  return target;
}

TrainerState CheckpointStore::load(const fs::path& checkpoint, const Tensors& read_tensors) {
  verify_manifest(checkpoint);
  auto state = read_state(checkpoint / state_file);
  read_tensors(checkpoint);
  return state;
}

}  // namespace tfm
