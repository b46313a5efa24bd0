// From a config to a trained model folder: reads the data, builds or loads the tokenizers, creates
// the network, starts or resumes the Trainer, and leaves a run folder that is a complete model with
// its report.
#pragma once

#include <filesystem>
#include <string>

#include "tfm/distributed/rank_environment.h"
#include "tfm/run/run_folder.h"
#include "tfm/training/training_result.h"

namespace tfm {

/// Prepares a run as train does, tries it (preflight.h) in a temporary folder, and leaves nothing
/// behind. Returns the report of the preflight. Throws what train throws.
std::string dry_run(const TrainRequest& request);

struct RunResult {
  std::filesystem::path folder;
  TrainingResult end;
};

/// Trains, as one of the ranks of `environment` (by default the only one); all ranks must be given
/// the same request and see the same folders. Throws ConfigError if the run folder is taken or the
/// resumed config does not fit, DataError, ModelError, CommunicationError, Interrupted.
RunResult train(const TrainRequest& request, const RankEnvironment& environment = {});

}  // namespace tfm
