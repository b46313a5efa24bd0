// Stores the checkpoints of a run in folders like checkpoints/step-00001000. Each folder contains
// weights, the states of the optimizer and of the random generators, progress.json (TrainerState)
// and a manifest. A checkpoint is written under a temporary name and renamed when all of it is on
// disk, so a crash never leaves an incomplete checkpoint. The manifest reveals later corruption.
// The caller writes and reads the tensors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "tfm/model/model_files.h"
#include "tfm/run/retention.h"
#include "tfm/run/trainer_state.h"

namespace tfm {

inline constexpr const char* optimizer_file = "optimizer.safetensors";
/// The prefix that is added to the names of corrupt checkpoints and models.
inline constexpr const char* damaged_prefix = "damaged-";
inline constexpr const char* state_file = "progress.json";

class CheckpointStore {
 public:
  /// A function that reads or writes the tensors of the checkpoint in `folder`.
  using Tensors = std::function<void(const std::filesystem::path& folder)>;

  explicit CheckpointStore(const std::filesystem::path& run_folder);

  /// Writes a checkpoint. write_tensors must write weights_file and optimizer_file. Throws
  /// ModelError if the checkpoint can't be written; existing checkpoints are then unchanged.
  void save(const TrainerState& state, const Tensors& write_tensors) const;

  /// Removes the checkpoints that the policy does not keep.
  void remove_old(const RetentionPolicy& policy) const;

  /// Atomically replaces the state of the newest checkpoint and keeps its weights, for example
  /// after a rollback, a validation or the averaging of checkpoints. At least one checkpoint must
  /// exist. Does nothing if the newest one is corrupt. Throws ModelError if the state can't be
  /// written.
  void save_state(const TrainerState& state) const;

  /// Restores a checkpoint if a process was killed while it replaced the checkpoint, and removes
  /// unfinished checkpoints. The caller must hold the run's lock. Throws ModelError if a file can't
  /// be renamed or removed.
  void recover() const;

  /// Returns the checkpoints' folders, oldest first. Each was written completely, but its files may
  /// have become corrupt since.
  std::vector<std::filesystem::path> list() const;

  /// Returns the valid checkpoints of list() that were not saved while updates were being skipped.
  /// Logs the corrupt ones.
  std::vector<std::filesystem::path> list_usable() const;

  /// Returns the scheduled checkpoints of list_usable().
  std::vector<std::filesystem::path> list_averageable() const;

  /// Returns whether the folder has the name of a checkpoint, which is "step-" and a number of at
  /// most 18 digits.
  static bool is_checkpoint(const std::filesystem::path& folder);

  /// Returns the step in a checkpoint's name.
  static std::int64_t step_in_name(const std::filesystem::path& checkpoint);

  /// Returns the newest valid checkpoint, or nullopt if the run has no checkpoints. Logs newer,
  /// corrupt checkpoints and renames them to damaged-step-..., so that later calls ignore them. If
  /// all are corrupt, throws a ModelError that lists what is wrong with each.
  std::optional<std::filesystem::path> latest_valid() const;

  /// Returns the checkpoint to go back to after a divergence (rollback_target), or nullopt if no
  /// checkpoint qualifies. Removes all newer checkpoints, because their weights led to the
  /// divergence.
  std::optional<std::filesystem::path> roll_back(const Divergence& divergence) const;

  /// Checks a checkpoint and reads its state; read_tensors reads its tensors. Throws ModelError
  /// with the name of the file that is missing or corrupt.
  static TrainerState load(const std::filesystem::path& checkpoint, const Tensors& read_tensors);

 private:
  void write_atomically(const std::filesystem::path& checkpoint, const Tensors& fill) const;

  std::filesystem::path folder_;
};

}  // namespace tfm
