// Implements the member functions of Trainer that take batches and make an update with them.
#include <utility>

#include "tfm/optim/schedule.h"
#include "tfm/tensor/device.h"
#include "tfm/training/trainer.h"
#include "tfm/training/update_batches.h"

namespace tfm {

/// Plans only the epoch in which training continues. With subword sampling, planning an epoch
/// encodes it.
void Trainer::make_input(DataPosition start) {
  Batcher batcher(
      corpus_, batcher_options(config_),
      [this](std::int64_t epoch) { training_corpus_.begin_epoch(epoch); }, start);
  const UpdateInputOptions options{.accum_count = config_.training.accum_count,
                                   .rank = group_.rank(),
                                   .ranks = group_.size(),
                                   .ahead = computes_asynchronously(model_.device)};
  input_.emplace(std::move(batcher), options, [this](const std::vector<BatchIndices>& batches) {
    return update_step_.collate(batches, corpus_);
  });
}

/// Makes one update from accum_count batches of every rank.
void Trainer::update() {
  const auto batches = input_->next();
  const double rate =
      learning_rate_at(config_.training, state_.step + 1) * state_.divergence.learning_rate_factor;
  last_update_ = update_step_.run(batches, rate, state_.step);
  finish_update();
  if (last_update_.finite()) meter_.add(last_update_.tokens);
}

}  // namespace tfm
