// Makes trial updates that show whether a batch fits into memory and how long an update takes.
// Writes no files, and neither changes the config nor copies the corpus.
#pragma once

#include <cstdint>
#include <span>

#include "tfm/training/update_step.h"

namespace tfm {

class ScratchTraining {
 public:
  /// Creates an optimizer for the model's network, which update() trains. Model and corpus must
  /// outlive this object.
  ScratchTraining(TranslationModel& model, const Corpus& corpus);

  /// Makes one update with a learning rate of 1e-9, which hardly changes the weights. Logs a
  /// warning if the loss or gradient is not finite.
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

/// Returns whether the batch fits into memory without being split. Makes an update on its last pair
/// first, because the optimizer's state does not exist before the end of an update.
bool batch_fits(TranslationModel& model, const Corpus& corpus, const BatchIndices& batch);

}  // namespace tfm
