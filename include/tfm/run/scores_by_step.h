// Reads the scores of a run's validations from metrics.jsonl.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>

namespace tfm {

/// Maps each validated step to its score by the run's current metric; higher is better. If a step
/// was validated twice, the first score counts: the second one is that of the average made at the
/// end (training.average_checkpoints). The best_validation of an event counts only for a step that
/// has no validation event, because it may be the score of that average, or of weights from before
/// a rollback.
std::map<std::int64_t, double> scores_by_step(const std::filesystem::path& run_folder);

}  // namespace tfm
