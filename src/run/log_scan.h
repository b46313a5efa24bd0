// metrics.jsonl read line by line to find where a checkpoint stands in it. Checkpoints know the
// length themselves; the scan serves those of former versions, a file that lost its end in a power
// cut, and a validation that is to be repeated.
#pragma once

#include <filesystem>
#include <string>

#include "tfm/run/trainer_state.h"

namespace tfm {

struct LogScan {
  std::string kept;        ///< the events up to the checkpoint
  std::string best_event;  ///< the last of them that was the best validation so far; may be empty
};

/// repeats_validation: the validations of the checkpoint's own step are left out.
LogScan scan_log(const std::filesystem::path& run_folder, const TrainerState& checkpoint,
                 bool repeats_validation);

}  // namespace tfm
