// The checks of a normal start, which take about as long as one update: they find what would end
// the run later. `tfm train --dry-run` tries more (preflight.h).
#pragma once

#include <cstdint>
#include <filesystem>

#include "tfm/data/length_counts.h"
#include "tfm/model/model_folder.h"
#include "tfm/run/run_status.h"
#include "tfm/run/trainer_state.h"
#include "tfm/training/validator.h"

namespace tfm {

/// Trains a new network on the longest batch once, and translates a validation line. Throws the
/// errors that the run would throw at these steps. Records in `status` what was tried. If the
/// session that it resumes tried the same and was neither killed nor failed, and the memory that
/// the checks took is free, they are not repeated. An interruption ends the checks without an
/// exception. `valid` is null if there is no validation data, or if lines have been translated
/// before.
void check_start(const TranslationModel& model_spec, const CountedCorpus& corpus,
                 const Validator* valid, const Fingerprints& fingerprints, RunStatus& status);

/// Warns if the disk has no space for all checkpoints of the run. Throws ModelError if a checkpoint
/// and the model do not fit, or if the system refuses to reserve space for them in the folder of
/// the checkpoints, as with a quota or a folder that can't be written.
void check_space(const TrainingConfig& config, std::int64_t parameters,
                 const std::filesystem::path& run_folder);

}  // namespace tfm
