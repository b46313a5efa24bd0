// Finds the events up to a checkpoint by reading all of metrics.jsonl. Usually this is unnecessary,
// because the checkpoint contains the length of the file. The scan is needed for checkpoints of
// former versions, for a file that a power failure truncated, and before a validation is repeated.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "tfm/run/run_facts.h"
#include "tfm/run/trainer_state.h"

namespace tfm {

struct LogScan {
  std::string kept;               ///< the events up to the checkpoint
  std::string best_event;         ///< the event of the best validation among them; empty if none
  std::optional<RunFacts> facts;  ///< the facts recorded last among them
};

/// Returns the events up to the checkpoint. If repeats_validation is set, omits the validations of
/// the checkpoint's own step. Also omits events of this step that follow a change to a metric other
/// than the checkpoint's.
LogScan scan_log(const std::filesystem::path& run_folder, const TrainerState& checkpoint,
                 bool repeats_validation);

}  // namespace tfm
