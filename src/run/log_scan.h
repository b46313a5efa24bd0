// Reads metrics.jsonl line by line to find the position of a checkpoint in it. Checkpoints contain
// that position. The scan is for those of former versions, for a file that lost its end in a power
// failure, and for a validation that is to be repeated.
#pragma once

#include <filesystem>
#include <string>

#include "tfm/run/trainer_state.h"

namespace tfm {

struct LogScan {
  std::string kept;        ///< the events up to the checkpoint
  std::string best_event;  ///< the last event that was the best validation so far; may be empty
};

/// repeats_validation: drops the validations of the checkpoint's own step.
LogScan scan_log(const std::filesystem::path& run_folder, const TrainerState& checkpoint,
                 bool repeats_validation);

}  // namespace tfm
