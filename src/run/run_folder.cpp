#include "tfm/run/run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <ranges>
#include <utility>
#include <vector>

#include "tfm/config/config_file.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/model/manifest.h"
#include "tfm/model/model_files.h"
#include "tfm/run/checkpoint_store.h"
#include "tfm/run/fitted_numbers.h"
#include "tfm/run/model_changes.h"
#include "tfm/run/run_logger.h"
#include "tfm/run/run_page_file.h"

namespace tfm {

namespace fs = std::filesystem;

namespace {

bool has_checkpoints(const fs::path& folder) { return !CheckpointStore(folder).list().empty(); }

/// Returns whether the folder contains a run or is locked by a session that is just starting. If
/// `resume` is set, a run that failed to start counts, too.
bool is_in_use(const fs::path& folder, bool resume) {
  return (resume && fs::exists(folder / config_file)) || contains_run(folder) ||
         has_checkpoints(folder) || FileLock::holder(folder / lock_file);
}

/// Returns the number of a folder that is named like a run of NAME: 1 for NAME, n for NAME-n;
/// nullopt for another name. Numbers have at most three digits, because NAME-2024 is more likely
/// the run of another config.
std::optional<int> number_in_name(const std::string& folder_name, const std::string& name) {
  if (folder_name == name) return 1;
  const auto begin = name.size() + 1;
  const auto digits = folder_name.size() - std::min(folder_name.size(), begin);
  const bool is_numbered = folder_name.starts_with(name + "-") && digits >= 1 && digits <= 3 &&
                           folder_name.find_first_not_of("0123456789", begin) == folder_name.npos;
  if (!is_numbered || folder_name[begin] == '0') return std::nullopt;
  return std::stoi(folder_name.substr(begin));
}

/// Returns the folders in use that are named like runs of `base`, by number.
std::map<int, fs::path> find_numbered_folders(const fs::path& base, bool resume) {
  std::map<int, fs::path> found;
  std::error_code none;  // if the parent is missing, there are no runs
  for (const auto& entry : fs::directory_iterator(base.parent_path(), none)) {
    const auto number = number_in_name(entry.path().filename().string(), base.filename().string());
    if (number && is_in_use(entry.path(), resume)) found[*number] = entry.path();
  }
  return found;
}

struct FolderChoice {
  fs::path folder;
  std::vector<fs::path> others{};  ///< the folders of other runs with the same NAME
};

/// For a new run, chooses runs/NAME, or runs/NAME-n if there are runs with that NAME, where n
/// follows the highest number. To resume, chooses the last one with a checkpoint, or else the last
/// one in use.
FolderChoice choose_numbered_folder(const fs::path& base, bool resume) {
  FolderChoice choice{.folder = base};
  const auto numbered = find_numbered_folders(base, resume);
  bool resumable = false;
  for (const auto& folder : numbered | std::views::values) {
    choice.others.push_back(folder);
    const bool has_checkpoint = has_checkpoints(folder);
    if (has_checkpoint || !resumable) choice.folder = folder;
    resumable = resumable || has_checkpoint;
  }
  if (!resume && !numbered.empty())
    choice.folder = base.string() + "-" + std::to_string(numbered.rbegin()->first + 1);
  std::erase(choice.others, choice.folder);
  return choice;
}

FolderChoice choose_folder(const TrainRequest& request) {
  const auto& named = request.config.training.run_folder;
  if (named.empty()) return choose_numbered_folder(fs::path("runs") / request.name, request.resume);
  FileLock::require_free(fs::path(named) / lock_file);
  if (contains_run(named) && !request.resume) {
    throw ConfigError(
        "training.run_folder", named + " already contains a run",
        "Resume it with --resume, set another training.run_folder, or remove the folder.");
  }
  return {.folder = named};
}

/// Returns "runs/NAME (finished, step 1000)", or only "runs/NAME" if status.json cannot be read.
std::string describe_run(const fs::path& folder) {
  const auto status = read_status(folder);
  return status ? fmt::format("{} ({}, step {})", folder.string(), status->state, status->step)
                : folder.string();
}

/// Logs which folder was chosen, if there was a choice.
void log_choice(const FolderChoice& choice, bool resume) {
  if (choice.others.empty()) return;
  std::vector<std::string> others;
  for (const auto& folder : choice.others) others.push_back(describe_run(folder));
  if (resume) {
    log_warn("resuming {}; there is also {}\n  --resume FOLDER resumes another run.",
             choice.folder.string(), fmt::join(others, ", "));
  } else {
    log_warn(
        "there is already {}: this new run is {}\n  --resume FOLDER continues a run, "
        "training.run_folder names the folder of a new one.",
        fmt::join(others, ", "), choice.folder.string());
  }
}

/// Returns the outermost part of the path that does not exist; an empty path if all of it exists.
fs::path first_missing(fs::path path) {
  fs::path missing;
  for (; !path.empty() && !fs::exists(path); path = path.parent_path()) missing = path;
  return missing;
}

/// Returns the checkpoint to resume from; nullopt for a new run. Throws ConfigError if the folder
/// contains a trained model but no checkpoint, unless the previous session ended before its first
/// checkpoint.
std::optional<fs::path> choose_checkpoint(const fs::path& folder, bool resume,
                                          const std::optional<StatusRecord>& previous) {
  if (resume) {
    if (auto newest = CheckpointStore(folder).latest_valid()) return newest;
    log_info("nothing to resume in {}: a new run begins", folder.string());
  }
  const bool never_saved = previous && previous->checkpoint < 0;
  if (fs::exists(folder / weights_file) && !never_saved) {
    throw ConfigError(folder.string(), "holds a trained model but no checkpoint to resume from",
                      "Set another training.run_folder, or remove the folder.");
  }
  return std::nullopt;
}

/// Renames the run's model if its manifest shows that it is corrupt. Resumed training then treats
/// the model as missing, and the next validation writes a new one.
void set_corrupt_model_aside(const fs::path& folder) {
  if (!fs::exists(folder / manifest_file)) return;
  try {
    verify_manifest(folder);
  } catch (const ModelError& error) {
    const fs::path aside = folder / (damaged_prefix + std::string(weights_file));
    std::error_code none;  // the model may be missing
    fs::rename(folder / weights_file, aside, none);
    fs::remove(folder / manifest_file);
    log_warn("{}\n  Renamed to {}; the next validation is the best so far.", error.what(),
             aside.string());
  }
}

/// Returns the state of the newest checkpoint that can be read.
TrainerState newest_state(const fs::path& folder) {
  const auto checkpoints = CheckpointStore(folder).list();
  for (const auto& checkpoint : checkpoints | std::views::reverse) {
    try {
      return read_state(checkpoint / state_file);
    } catch (const ModelError&) {  // NOLINT(bugprone-empty-catch)
      // choose_checkpoint will report it.
    }
  }
  return {};
}

/// Writes `auto` in the place of a number of updates that the earlier session fitted to its limits.
/// The config of the run itself has the number.
void restore_auto_steps(TrainingConfig& training, const TrainingConfig& previous,
                        const TrainerState& state) {
  if (state.has_fitted_steps && training.max_minutes > 0 &&
      training.max_steps == previous.max_steps)
    training.max_steps = TrainingConfig::automatic_steps;
}

/// The config of a session, and whether `max_steps: auto` determines its number of updates.
struct SessionConfig {
  Config config;
  bool has_fitted_steps = false;
};

/// Returns the config of the session. A run that continues from a checkpoint takes its automatic
/// numbers from the config of the earlier session; without a checkpoint, it determines them again.
/// Throws ConfigError if there is a checkpoint that the config does not fit, and ModelError if the
/// config of the earlier session is missing.
SessionConfig session_config(const TrainRequest& request, const fs::path& folder,
                             bool has_checkpoint) {
  const auto file = folder / config_file;
  auto config = request.config;
  if (!has_checkpoint) return {config, is_auto_max_steps(config.training)};
  if (!fs::exists(file))
    throw ModelError(file.string(), "is missing: the settings of the run to resume are unknown",
                     "Restore the file from a copy, or begin a new run in another "
                     "training.run_folder.");
  const Config previous = load_config(file);
  const auto state = newest_state(folder);
  restore_auto_steps(config.training, previous.training, state);
  const bool has_fitted_steps = is_auto_max_steps(config.training);
  if (has_fitted_steps || is_auto_vocab_size(config.tokenizer) ||
      is_auto_batch_size(config.training))
    config = with_fitted_numbers(std::move(config), previous, state);
  config = with_learned_symbols(std::move(config), previous);
  check_resumable(previous, config, file);
  return {std::move(config), has_fitted_steps};
}

}  // namespace

bool contains_run(const fs::path& folder) {
  const bool begun = fs::exists(folder / metrics_file) || fs::exists(folder / weights_file) ||
                     !CheckpointStore(folder).list().empty();
  // If there is no lock file, the user wrote the config, so it must not be replaced.
  const bool has_lock = fs::exists(folder / lock_file);
  return (begun || !has_lock) && fs::exists(folder / config_file);
}

RunFolder::Preview RunFolder::would_be(const TrainRequest& request) {
  const auto choice = choose_folder(request);
  const auto& folder = choice.folder;
  FileLock::require_free(folder / lock_file);
  log_choice(choice, request.resume);
  const bool has_checkpoint = request.resume && has_checkpoints(folder);
  auto session = session_config(request, folder, has_checkpoint);
  return {.folder = folder,
          .config = std::move(session.config),
          .has_checkpoint = has_checkpoint,
          .has_fitted_steps = session.has_fitted_steps};
}

RunFolder RunFolder::open(const TrainRequest& request) {
  RunFolder run;
  FolderChoice choice;
  while (true) {
    run.status_.reset();  // unlocks the folder of the previous iteration
    choice = choose_folder(request);
    run.path_ = choice.folder;
    run.first_made_ = first_missing(run.path_ / lock_file);
    run.status_ = std::make_unique<RunStatus>(run.path_);
    // Another run may have used the folder after it was chosen and before it was locked.
    if (request.resume || !contains_run(run.path_)) break;
  }
  log_choice(choice, request.resume);
  CheckpointStore(run.path_).recover();
  auto session = session_config(request, run.path_, request.resume && has_checkpoints(run.path_));
  run.config_ = std::move(session.config);
  run.has_fitted_steps_ = session.has_fitted_steps;
  run.checkpoint_ = choose_checkpoint(run.path_, request.resume, run.status_->previous());
  if (run.checkpoint_) set_corrupt_model_aside(run.path_);
  return run;
}

RunFolder::~RunFolder() {
  if (!status_ || status_->started() || first_made_.empty()) return;
  std::error_code none;  // errors are ignored; what cannot be removed stays
  const auto entries = fs::directory_iterator(path_, none);
  if (none || std::distance(fs::begin(entries), fs::end(entries)) != 1) return;
  for (auto made = path_ / lock_file; fs::remove(made, none) && made != first_made_;)
    made = made.parent_path();
}

void RunFolder::start() {
  status_->start(checkpoint_ ? CheckpointStore::step_in_name(*checkpoint_) : -1);
}

void RunFolder::record_exception() noexcept {
  if (!status_->started()) return;
  status_->record_exception();
  try {
    if (fs::exists(path_ / metrics_file)) write_run_page(path_);
  } catch (const std::exception& error) {
    log_warn("{} could not be written: {}", page_file, error.what());
  }
}

}  // namespace tfm
