// What a run is doing, as status.json in its folder, for people and programs that look in from
// outside: running, finished, failed or interrupted, and since when. A process that is killed can't
// say so: the file says "running" while nobody holds the folder's lock, and is then read as "died".
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "tfm/core/error.h"
#include "tfm/core/file_lock.h"
#include "tfm/run/trainer_state.h"

namespace tfm {

inline constexpr const char* status_file = "status.json";
inline constexpr const char* lock_file = "lock";

/// How a session ends that a signal stopped, when all was saved. where: "at step 50".
Interrupted make_interrupted_error(const std::string& where,
                                   const std::filesystem::path& run_folder);

/// What status.json says.
struct RunState {
  /// "running", "finished", "failed", "interrupted"; or "died", which no process writes
  std::string state;
  std::string reason;  ///< of the last three
  std::int64_t step = 0;
  std::int64_t epoch = 0;
  std::int64_t checkpoint = -1;  ///< the step of the newest; -1: none was written yet
  std::int64_t pid = 0;
  int exit_code = 0;
  std::string changed;  ///< UTC, "2026-03-01T12:34:56Z"
};

/// Nothing where the folder has no status.json that can be read.
std::optional<RunState> read_status(const std::filesystem::path& run_folder);

/// Holds the run folder for this process and keeps its status.json. What the process writes at its
/// end depends on how this ends: `finished` was called, or an exception passes through `train` and
/// record_exception was called.
class RunStatus {
 public:
  /// Takes the folder, creating it where needed. Throws ModelError naming the process that trains
  /// in it.
  explicit RunStatus(std::filesystem::path run_folder);

  /// What the session before this one left; nothing in a new folder.
  const std::optional<RunState>& previous() const { return previous_; }

  const std::filesystem::path& folder() const { return folder_; }
  /// Else what the last session left is true still.
  bool started() const { return !now_.state.empty(); }

  /// Begins, from a checkpoint of this step or (-1) without one.
  void start(std::int64_t checkpoint);
  /// At most once a second, as it is called after each update. Warns where it can't write: the next
  /// checkpoint will tell whether the run can go on.
  void update(const TrainerState& state);
  void saved(const TrainerState& state);
  void finished(const TrainerState& state, const std::string& reason);
  /// Writes the state "interrupted" or "failed", the reason and the program's exit code, all from
  /// the exception being handled. Throws nothing: the disk may be full.
  void record_exception() noexcept;

 private:
  void set(const TrainerState& state);
  void write();

  std::filesystem::path folder_;
  FileLock lock_;
  std::optional<RunState> previous_;
  RunState now_;
  double written_at_ = 0;  // seconds
  bool warned_ = false;    // that update() could not write
};

}  // namespace tfm
