// Averages the weights of several models with the same architecture and vocabulary (Vaswani et al.
// 2017, section 6.1).
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace tfm {

/// Specifies which checkpoints of a run to average. At most one of the two numbers is above 0. If
/// both are 0, all checkpoints are averaged.
struct CheckpointSelection {
  std::int64_t last = 0;  ///< how many of the newest checkpoints to average; 0 if unused
  std::int64_t best = 0;  ///< how many of the best checkpoints to average; 0 if unused
};

/// Returns the selected checkpoints, oldest first. Throws ModelError if the run has fewer valid
/// checkpoints than requested, or none. Checkpoints of step 0, or saved while updates were being
/// skipped, do not count. For `best`, only validated checkpoints count, and training.best_by
/// selects the score.
std::vector<std::filesystem::path> select_checkpoints(const std::filesystem::path& run_folder,
                                                      const CheckpointSelection& choice);

/// Writes the model folder `output` atomically, with the mean of the weights in `folders`, each a
/// model folder or a checkpoint of a run. Config and tokenizers come from the first folder. A
/// single model is copied. Throws ModelError if a folder holds no model, if the models differ in
/// vocabulary or architecture, or if `output` is in use.
void average_models(const std::vector<std::filesystem::path>& folders,
                    const std::filesystem::path& output);

}  // namespace tfm
