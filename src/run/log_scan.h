// Reads metrics.jsonl line by line to find the position of a checkpoint in it. Checkpoints contain
// that position. The scan is needed for checkpoints of former versions, for a file that a power
// failure truncated, and before a validation is repeated.
#pragma once

#include <filesystem>
#include <string>

#include "tfm/run/trainer_state.h"

namespace tfm {

struct LogScan {
  std::string kept;        ///< the events up to the checkpoint
  std::string best_event;  ///< the event of the best validation among them; empty if none
};

/// Returns the events up to the checkpoint. `repeats_validation` leaves out the validations of the
/// checkpoint's own step.
LogScan scan_log(const std::filesystem::path& run_folder, const TrainerState& checkpoint,
                 bool repeats_validation);

}  // namespace tfm
