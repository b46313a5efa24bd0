#include "scratch_training.h"

#include "tfm/core/log.h"

namespace tfm {

ScratchTraining::ScratchTraining(TranslationModel& model, const Corpus& corpus)
    : corpus_(corpus),
      optimizer_(model.config.training, *model.network),
      step_(model, optimizer_, alone_) {}

UpdateStep::Done ScratchTraining::update(std::span<const BatchIndices> batches) {
  constexpr double learning_rate = 1e-9;
  auto done = step_.run(batches, corpus_, learning_rate, updates_++);
  skipped_in_a_row_ = done.diverged() ? skipped_in_a_row_ + 1 : 0;
  if (done.diverged()) log_warn("{}", describe_skipped(done, updates_, skipped_in_a_row_));
  return done;
}

bool batch_fits(TranslationModel& model, const Corpus& corpus, const BatchIndices& batch) {
  ScratchTraining scratch(model, corpus);
  const BatchIndices one{batch.back()};
  scratch.update({&one, 1});
  return !scratch.update({&batch, 1}).split;
}

}  // namespace tfm
