// Runs training from a config: reads the data, builds or loads the tokenizers, creates the
// network and starts or resumes the Trainer. The resulting run folder is a complete model folder
// with a report.
#pragma once

#include <filesystem>
#include <string>

#include "tfm/distributed/rank_environment.h"
#include "tfm/run/run_folder.h"
#include "tfm/training/training_result.h"

namespace tfm {

class ProcessGroup;

/// Prepares a run as train() does, tests it (dry_run_report) in a temporary folder and removes the
/// folder. Returns the report. Throws the exceptions of train().
std::string dry_run(const TrainRequest& request);

struct RunResult {
  std::filesystem::path folder;
  TrainingResult end;
  bool has_fitted_steps = false;  ///< whether `max_steps: auto` determined max_steps
};

/// Trains as one rank of `environment`, by default the only one. All ranks need the same request
/// and access to the same folders. Throws ConfigError if the run folder already contains a run and
/// request.resume is not set, or if the config does not match the resumed run. Throws ModelError if
/// another process trains in the folder, if a file can't be read or written, or if training
/// diverges. Also throws DataError, CommunicationError and Interrupted.
RunResult train(const TrainRequest& request, const RankEnvironment& environment = {});
/// Does the same as one rank of a group that is already connected.
RunResult train(const TrainRequest& request, const ProcessGroup& group);

}  // namespace tfm
