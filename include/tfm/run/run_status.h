// Keeps status.json in the run folder up to date. The file shows people and other programs whether
// a run is running, finished, failed or interrupted, and when the file was last written. A killed
// process leaves "running" behind. The file is then read as "died", because no process holds the
// folder's lock.
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

/// Returns the error with which a session ends after a signal, once everything is saved. `where`
/// is, for example, "at step 50".
Interrupted make_interrupted_error(const std::string& where,
                                   const std::filesystem::path& run_folder);

/// What a session tried when it started, so that the session that resumes it need not try it again.
struct StartChecks {
  std::uint32_t circumstances = 0;  ///< the checksum of everything that decides the result
  std::int64_t memory = 0;          ///< the main memory in bytes that the checks took
};

/// The contents of status.json.
struct StatusRecord {
  /// "running", "finished", "failed", "interrupted", or "died"; read_status() returns "died", but
  /// the file never contains it
  std::string state;
  std::string reason;  ///< set if the state is "finished", "failed" or "interrupted"
  std::int64_t step = 0;
  std::int64_t epoch = 0;
  std::int64_t checkpoint = -1;  ///< the step of the newest checkpoint; -1 before the first
  std::int64_t pid = 0;
  int exit_code = 0;
  std::string changed;  ///< when the file was written, in UTC: "2026-03-01T12:34:56Z"
  std::optional<StartChecks> checks{};  ///< nullopt if the session did not complete its checks
};

/// Reads status.json. Returns nullopt if it is missing or cannot be parsed.
std::optional<StatusRecord> read_status(const std::filesystem::path& run_folder);

/// Locks the run folder for this process and keeps its status.json up to date. At the end of a
/// session, call finished() if training has ended, or record_exception() if an exception ends the
/// session.
class RunStatus {
 public:
  /// Locks the folder, and creates it if it does not exist. If another process trains in the
  /// folder, throws a ModelError with the ID of that process.
  explicit RunStatus(std::filesystem::path run_folder);

  /// The status that the previous session left; nullopt in a new folder.
  const std::optional<StatusRecord>& previous() const { return previous_; }

  const std::filesystem::path& folder() const { return folder_; }
  /// Whether start() was called. Until then status.json describes the previous session.
  bool started() const { return !now_.state.empty(); }

  /// Writes that the session is running; `checkpoint` is the step from which it resumes, or -1 for
  /// a new run.
  void start(std::int64_t checkpoint);
  /// Records the checks of the start. The file contains them when it is next written.
  void checked(const StartChecks& checks) { now_.checks = checks; }
  /// Must be called after each update. Writes the file at most once a second. If writing fails, a
  /// warning is logged and training continues, because the disk may have space again when the next
  /// checkpoint is saved.
  void update(const TrainerState& state);
  /// Records a new checkpoint. Throws ModelError if status.json cannot be written.
  void saved(const TrainerState& state);
  /// Records that training ended, and why. Throws ModelError if status.json cannot be written.
  void finished(const TrainerState& state, const std::string& reason);
  /// Writes the state "interrupted" or "failed", the reason and the program's exit code, all from
  /// the exception being handled. Throws nothing, even if the file cannot be written.
  void record_exception() noexcept;

 private:
  void set(const TrainerState& state);
  void write();

  std::filesystem::path folder_;
  FileLock lock_;
  std::optional<StatusRecord> previous_;
  StatusRecord now_;
  double written_at_ = 0;  // the time of the last attempt to write, from steady_seconds()
  bool warned_ = false;    // whether update() failed when it last tried to write
};

}  // namespace tfm
