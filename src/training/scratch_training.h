// Updates that only show what they take: whether a batch fits into memory, how long an update
// lasts. No folder and no config is touched, and the corpus is not copied.
#pragma once

#include <cstdint>
#include <span>

#include "tfm/training/update_step.h"

namespace tfm {

class ScratchTraining {
 public:
  /// Trains the model's own network, with an optimizer of this object; all must outlive it.
  ScratchTraining(TranslationModel& model, const Corpus& corpus);

  /// Makes one update at a learning rate that leaves the weights about as they are. Logs an update
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

/// Whether the batch fits into memory without being split. Makes two updates: only the second has
/// the optimizer's state beside the gradients.
bool batch_fits(TranslationModel& model, const Corpus& corpus, const BatchIndices& batch);

}  // namespace tfm
