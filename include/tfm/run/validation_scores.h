// The scores of a run's validations, as metrics.jsonl holds them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>

namespace tfm {

/// Returns the score of each validated step by the metric that the run has now; higher is better.
/// A step may be validated twice, the second time with the mean that average_checkpoints makes at
/// the end: the first score counts. What an event reports of the run's model (which may be that
/// mean, or weights from before a rollback) counts only if the step has no validation of its own.
std::map<std::int64_t, double> validation_scores(const std::filesystem::path& run_folder);

}  // namespace tfm
