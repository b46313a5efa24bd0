// Reads the scores of a run's validations from metrics.jsonl.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>

namespace tfm {

/// Maps each validated step to its score by the run's current metric; higher is better. If a step
/// was validated twice, the first score counts, because the second one is that of the averaged
/// checkpoints (training.average_checkpoints). The best_validation field of an event counts only
/// for a step that has no validation event, because it may contain the score of the average, or of
/// weights from before a rollback.
std::map<std::int64_t, double> scores_by_step(const std::filesystem::path& run_folder);

}  // namespace tfm
