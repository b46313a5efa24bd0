// Model folders out of several: the mean of weights that belong to one architecture and one
// vocabulary (Vaswani et al. 2017, section 6.1).
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace tfm {

/// Which of a run's kept checkpoints: the newest so many, or those that scored best by the run's
/// training.best_by; 0 and 0: all.
struct CheckpointSelection {
  std::int64_t last = 0;
  std::int64_t best = 0;
};

/// Oldest first. Throws ModelError where the run keeps fewer than asked for.
std::vector<std::filesystem::path> select_checkpoints(const std::filesystem::path& run_folder,
                                                      const CheckpointSelection& choice);

/// Makes the model folder `output` with the mean of the weights in `folders`, each a model folder
/// or a checkpoint of a run. Config and tokenizers are the first one's. Throws ModelError where
/// they are fewer than two, differ in a weight's name or shape or in the vocabulary, and where
/// `output` holds a model already.
void average_models(const std::vector<std::filesystem::path>& folders,
                    const std::filesystem::path& output);

}  // namespace tfm
