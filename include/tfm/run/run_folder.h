// Represents the folder of a run, locked by this process. RunFolder::open chooses the folder, locks
// it, repairs what a killed process left in it, and finds the checkpoint to resume from. If the
// session fails before training starts and has written no files, everything that open() created is
// removed.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "tfm/config/config.h"
#include "tfm/run/run_status.h"

namespace tfm {

/// The log file of a run folder, with the messages of all sessions.
inline constexpr const char* train_log_file = "train.log";

struct TrainRequest {
  Config config;
  /// The NAME of the run folder runs/NAME, used if config.training.run_folder is empty.
  std::string name;
  bool resume = false;            ///< whether to resume from the newest checkpoint, if any
  std::filesystem::path trace{};  ///< file for the operations of an update; empty for none
};

/// Returns whether the folder contains a config, and either training has begun or the lock file is
/// missing, which means that the user wrote the config. A folder in which a session failed before
/// training, for example because the data did not fit the config, counts as free.
bool contains_run(const std::filesystem::path& folder);

class RunFolder {
 public:
  /// The result of open(), predicted without locking the folder.
  struct Preview {
    std::filesystem::path folder;
    Config config;                  ///< the config that config() would return
    bool has_checkpoint = false;    ///< whether there is a checkpoint to resume from
    bool has_fitted_steps = false;  ///< what has_fitted_steps() would return
  };

  /// Predicts what open() would do, and changes nothing. The folder is training.run_folder, if set.
  /// Otherwise it is runs/NAME, or the one after the last of runs/NAME, runs/NAME-2 and so on. To
  /// resume, it is the last of these with a checkpoint, or the last one in use if none has a
  /// checkpoint. Logs which folder was chosen if there are other runs with the same NAME, and which
  /// fields changed since the last session. Throws ConfigError if a new run's folder already
  /// contains a run or if check_resumable fails. Throws ModelError if another process holds the
  /// lock of the folder, or if the config of the run to resume is missing.
  static Preview would_be(const TrainRequest& request);

  /// Creates or reopens the folder and locks it against other processes. Throws the same errors as
  /// would_be(), and ModelError if all checkpoints are corrupt. Throws ConfigError if the folder
  /// contains a trained model but no checkpoint, unless the last session ended before its first
  /// checkpoint.
  static RunFolder open(const TrainRequest& request);

  RunFolder(RunFolder&&) = default;
  RunFolder& operator=(RunFolder&&) = delete;
  /// Removes the folders and the lock file that open() created, if the session did not start and
  /// wrote no other files.
  ~RunFolder();

  const std::filesystem::path& path() const { return path_; }
  /// The request's config. If there is a checkpoint, its automatic numbers are replaced by those of
  /// the earlier session.
  const Config& config() const { return config_; }
  /// Whether `max_steps: auto` determines the number of updates: the request says so, or the run to
  /// resume began so and the request has its number.
  bool has_fitted_steps() const { return has_fitted_steps_; }
  /// The checkpoint to resume from; nullopt for a new run.
  const std::optional<std::filesystem::path>& checkpoint() const { return checkpoint_; }
  RunStatus& status() { return *status_; }

  /// Writes to status.json that this session is running. Until then the file describes the previous
  /// session.
  void start();
  /// If the session has started, records the exception being handled (an error or an interruption)
  /// in status.json and report.html. Throws nothing, so that the caller can report that exception.
  void record_exception() noexcept;

 private:
  RunFolder() = default;

  std::filesystem::path path_;
  std::filesystem::path first_made_;  // the outermost path that open() created; empty if none
  std::unique_ptr<RunStatus> status_;
  Config config_;
  bool has_fitted_steps_ = false;
  std::optional<std::filesystem::path> checkpoint_;
};

}  // namespace tfm
