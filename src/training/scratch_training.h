// Makes updates only to see what they take: whether a batch fits into memory, how long an update
// lasts. It changes no folder and no config, and does not copy the corpus.
#pragma once

#include <cstdint>
#include <span>

#include "tfm/training/update_step.h"

namespace tfm {

class ScratchTraining {
 public:
  /// Trains the model's own network, with an optimizer of this object. All arguments must outlive
  /// it.
  ScratchTraining(TranslationModel& model, const Corpus& corpus);

  /// Makes one update with a learning rate that leaves the weights almost unchanged. Logs an update
  /// without a finite loss or gradient, which a run would skip.
  UpdateStep::Done update(std::span<const BatchIndices> batches);

  const Optimizer& optimizer() const { return optimizer_; }

 private:
  const Corpus& corpus_;
  const ProcessGroup alone_;
  Optimizer optimizer_;
  UpdateStep step_;
  std::int64_t updates_ = 0;
  std::int64_t skipped_in_a_row_ = 0;
};

/// Returns whether the batch fits into memory without being split. Makes two updates, because only
/// the second has the optimizer's state in addition to the gradients.
bool batch_fits(TranslationModel& model, const Corpus& corpus, const BatchIndices& batch);

}  // namespace tfm
