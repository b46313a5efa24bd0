// The checkpoints of a run: folders checkpoints/step-00001000, each with weights, optimizer,
// progress.json (TrainerState) and a manifest. A checkpoint is written under another name and
// renamed when all of it is on disk, so a crash never leaves half of one. The manifest reveals
// later damage. The caller writes and reads the tensors.
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
inline constexpr const char* state_file = "progress.json";

class CheckpointStore {
 public:
  /// Called with a checkpoint's folder.
  using Tensors = std::function<void(const std::filesystem::path& folder)>;

  explicit CheckpointStore(const std::filesystem::path& run_folder);

  /// Writes a checkpoint. write_tensors writes weights_file and optimizer_file into the folder.
  /// Throws ModelError if the checkpoint can't be written; the others then stay as they are.
  void save(const TrainerState& state, const Tensors& write_tensors) const;

  /// Removes the checkpoints that the policy does not keep.
  void remove_old(const RetentionPolicy& policy) const;

  /// Rewrites the state of the newest checkpoint, all or nothing: after a rollback, a validation of
  /// its weights, and the averaging of checkpoints.
  void save_state(const TrainerState& state) const;

  /// Repairs what a kill may have left. Requires the run's lock. Throws ModelError.
  void recover() const;

  /// Returns the checkpoints' folders, oldest first. Each was written whole, but its files may have
  /// been damaged since.
  std::vector<std::filesystem::path> list() const;

  /// Returns the undamaged checkpoints of list() that were not saved among skipped updates. Logs
  /// the damaged ones.
  std::vector<std::filesystem::path> list_valid() const;

  /// Returns the scheduled checkpoints of list_valid().
  std::vector<std::filesystem::path> list_averageable() const;

  /// Returns whether the folder has a checkpoint's name; a copy that somebody made has not.
  static bool is_checkpoint(const std::filesystem::path& folder);

  /// Returns the step in a checkpoint's name.
  static std::int64_t step_in_name(const std::filesystem::path& checkpoint);

  /// Returns the newest undamaged checkpoint, or nothing if there are no checkpoints at all. Logs
  /// newer ones and renames them damaged-step-..., so that they no longer count. Throws ModelError
  /// that names each damage if all are damaged.
  std::optional<std::filesystem::path> latest_valid() const;

  /// Returns the checkpoint to go back to after a divergence (rollback_target) and removes the
  /// newer ones, as their weights led there. Returns nothing if there is no such checkpoint.
  std::optional<std::filesystem::path> roll_back(const Divergence& divergence) const;

  /// Checks and reads a checkpoint; read_tensors reads its tensors. Throws ModelError naming the
  /// file that is missing or damaged.
  static TrainerState load(const std::filesystem::path& checkpoint, const Tensors& read_tensors);

 private:
  void write_atomically(const std::filesystem::path& checkpoint, const Tensors& fill) const;

  std::filesystem::path folder_;
};

}  // namespace tfm
