// From a config to a trained model folder: reads the text, makes or loads the tokenizers, builds
// the network, starts or resumes the Trainer, and leaves a run folder that is a whole model with
// its report.
#pragma once

#include <filesystem>
#include <string>

#include "tfm/distributed/process_group.h"
#include "tfm/training/run_folder.h"
#include "tfm/training/trainer.h"

namespace tfm {

/// Prepares a run as train does, rehearses it (preflight.h) in a temporary folder, and leaves
/// nothing behind. Returns what there is to say. Throws what train throws.
std::string dry_run(const TrainRequest& request);

struct RunResult {
  std::filesystem::path folder;
  TrainingResult end;
};

/// Trains, as one of the group's ranks; all must be given the same request and see the same
/// folders. Throws ConfigError where the run folder is taken or the resumed config does not fit,
/// DataError, ModelError, CommunicationError, Interrupted.
RunResult train(const TrainRequest& request, const ProcessGroup& group);
/// As the only one.
RunResult train(const TrainRequest& request);

}  // namespace tfm
