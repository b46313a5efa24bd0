// Where a run has its place: its folder is chosen, locked and described, and the checkpoint that it
// goes on from is found. What a run must not change between its sessions is refused here.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "tfm/config/config.h"
#include "tfm/config/fields.h"
#include "tfm/data/corpus.h"
#include "tfm/distributed/process_group.h"
#include "tfm/model/model_folder.h"
#include "tfm/training/run_status.h"

namespace tfm {

struct TrainRequest {
  Config config;
  /// names the run folder where config.training.run_folder is empty: runs/NAME
  std::string name;
  bool resume = false;  ///< go on from the newest checkpoint; begins where there is none
};

struct RunFolder {
  std::filesystem::path folder;
  std::filesystem::path checkpoint;  ///< to go on from; empty: the run begins
};

/// Whether a model's weights or tokens depend on the field.
bool shapes_model(const Field& field);

/// Whether training began there. A start that failed before (a config that only the data could
/// refuse, say) leaves a folder that is free.
bool contains_run(const std::filesystem::path& folder);

/// Whether the request has no checkpoint to go on from.
bool starts_fresh(const TrainRequest& request);

/// The folder that the config names, else runs/NAME or the first free one of runs/NAME-2, ...; to
/// resume, the last that has a checkpoint. Throws ConfigError where it is another run's.
std::filesystem::path resolve_run_folder(const TrainRequest& request);

/// Says what changed since the last session. Throws ConfigError, naming `file`, where weights or
/// tokens depend on what changed.
void check_resumable(const Config& before, const Config& now, const std::filesystem::path& file);

/// The model that a new run begins with (training.init_from) must be of the same make. Throws
/// ConfigError.
void check_init_from(const Config& config);

/// Rank 0 chooses and locks the folder (status: its hold) and writes what describes the run; the
/// others read it there. Gives the model its tokenizers.
RunFolder take_place(const TrainRequest& request, const ProcessGroup& group,
                     const ParallelText& text, TranslationModel& model,
                     std::unique_ptr<RunStatus>& status);

}  // namespace tfm
