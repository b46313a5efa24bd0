// The folder of a run, held by this process. Opening it makes the choice once: it finds the folder,
// locks it, repairs what a kill left in it, and finds the checkpoint to continue from. A session
// that fails before it starts leaves behind nothing that it made.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "tfm/config/config.h"
#include "tfm/run/run_status.h"

namespace tfm {

struct TrainRequest {
  Config config;
  /// names the run folder if config.training.run_folder is empty: runs/NAME
  std::string name;
  bool resume = false;  ///< continues from the newest checkpoint; begins if there is none
};

/// Returns whether training began in the folder. A start that failed earlier (a config that only
/// the data could refuse, say) leaves a folder that is free.
bool contains_run(const std::filesystem::path& folder);

class RunFolder {
 public:
  /// What open would find.
  struct Preview {
    std::filesystem::path folder;
    Config config;                ///< as config() below
    bool has_checkpoint = false;  ///< to continue from
  };

  /// Looks and takes nothing. The folder is the one that the config names, or else runs/NAME or the
  /// first free one of runs/NAME-2, ...; to resume, the last of these that has a checkpoint. Logs
  /// what changed since the last session. Throws ConfigError if the folder is another run's or the
  /// config does not fit the checkpoint (check_resumable), ModelError if another process holds it.
  static Preview would_be(const TrainRequest& request);

  /// Takes the folder. Throws as would_be does, and if no checkpoint is good, or if the folder
  /// holds a trained model but no checkpoint.
  static RunFolder open(const TrainRequest& request);

  RunFolder(RunFolder&&) = default;
  RunFolder& operator=(RunFolder&&) = delete;
  /// Removes what open made, if the session did not start and nothing else stands there.
  ~RunFolder();

  const std::filesystem::path& path() const { return path_; }
  /// The request's config, with the numbers that an earlier session was fitted to.
  const Config& config() const { return config_; }
  /// The checkpoint to continue from; nothing if the run begins.
  const std::optional<std::filesystem::path>& checkpoint() const { return checkpoint_; }
  RunStatus& status() { return *status_; }

  /// Notes in status.json that the session runs. Until then, what the last session left is true.
  void start();
  /// Records the exception being handled, an error or an interruption, in status.json and
  /// report.html, if the session has started. Throws nothing: that exception is the one to report.
  void record_exception() noexcept;

 private:
  RunFolder() = default;

  std::filesystem::path path_;
  std::filesystem::path first_made_;  // the outermost path that open created; may be empty
  std::unique_ptr<RunStatus> status_;
  Config config_;
  std::optional<std::filesystem::path> checkpoint_;
};

}  // namespace tfm
