// The updates of the training loop, and what follows from those that diverge.
#include <utility>

#include "tfm/core/clock.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/log.h"
#include "tfm/optim/schedule.h"
#include "tfm/tensor/device.h"
#include "tfm/tensor/operation_trace.h"
#include "tfm/training/trainer.h"
#include "tfm/training/update_batches.h"

namespace tfm {

/// Plans the window in which training continues, unless it continues with its first batch. With
/// subword sampling or modifiers, planning a window encodes it.
void Trainer::make_input(DataPosition start) {
  Batcher batcher(
      corpus_, batcher_options(config_, corpus_),
      [this](const EpochWindows& windows, Window window) {
        training_corpus_.begin_window(windows, window);
      },
      start);
  const UpdateInputOptions options{.accum_count = config_.training.accum_count,
                                   .rank = group_.rank(),
                                   .ranks = group_.size(),
                                   .ahead = computes_asynchronously(model_.device)};
  input_.emplace(std::move(batcher), options, [this](const std::vector<BatchIndices>& batches) {
    return update_step_.collate(batches, corpus_);
  });
}

/// Takes the batches of the next update unless training ends. This may wait for the text of a
/// window, until a signal arrives; all ranks then stop together (next_action).
void Trainer::take_batches() {
  if (interrupt_requested() || stop_reason(config_.training, state_)) return;
  try {
    batches_ = input_->next();
  } catch (const Interrupted&) {
    batches_.clear();
  }
}

/// Makes one update from accum_count batches of every rank.
void Trainer::update() {
  // None are taken if this rank would have stopped, but rank 0 did not: at the limit of minutes.
  if (batches_.empty()) batches_ = input_->next();
  const auto batches = std::exchange(batches_, {});
  const double rate =
      learning_rate_at(config_.training, state_.step + 1) * state_.divergence.learning_rate_factor;
  last_update_ = update_step_.run(batches, rate, state_.step);
  finish_update();
  if (last_update_.finite()) meter_.add(last_update_.tokens);
}

/// Returns true if the next update is the one to record.
bool Trainer::is_traced() const {
  return !trace_file_.empty() &&
         static_cast<double>(state_.step) - begin_.steps >= updates_before_trace;
}

/// Makes an update and writes its operations to trace_file_.
void Trainer::trace_update() {
  const auto file = std::exchange(trace_file_, {});
  OperationTrace trace;
  update();
  if (trace.save(file))
    log_info("wrote the operations of update {} to {}; ui.perfetto.dev shows them as a time line",
             state_.step, file.string());
}

/// Updates the state after an update. If too many updates in a row were skipped, rolls back, throws
/// ModelError or does neither, depending on training.on_divergence.
void Trainer::finish_update() {
  auto next = updated(config_.training, std::move(state_),
                      {.position = input_->position(),
                       .seconds = seconds(),
                       .loss = last_update_.loss,
                       .target_tokens = last_update_.target_tokens,
                       .finite = !last_update_.diverged()});
  state_ = std::move(next.state);
  if (last_update_.overflowed) log_info("{}", describe_overflow(last_update_, state_.step));
  if (next.action == DivergenceAction::none) return;
  log_warn("{}", describe_skipped(last_update_, state_.step, state_.divergence.skipped_updates));
  if (next.action == DivergenceAction::roll_back) roll_back();
  if (next.action == DivergenceAction::stop)
    throw_diverged(config_.training, state_.step, state_.divergence, folder_.string());
}

/// Restores an earlier checkpoint and lowers the learning rate. Throws ModelError if there is no
/// such checkpoint. All ranks call this at the same update.
void Trainer::roll_back() {
  const auto diverged = state_;
  std::string checkpoint;
  if (group_.is_main())
    checkpoint = checkpoints_.roll_back(diverged.divergence).value_or("").string();
  checkpoint = group_.broadcast(checkpoint);
  if (checkpoint.empty())
    throw_diverged(config_.training, diverged.step, diverged.divergence, folder_.string());
  // The score of the best model remains valid, so the model counts as existing.
  const auto resumed = tfm::resumed(restore(checkpoint), fingerprints_, /*model_exists=*/true);
  warn_of_changed_data(resumed, checkpoint);
  state_ = rolled_back(config_.training, diverged, resumed.state);
  input_->seek(state_.position);
  group_.barrier();  // waits until all ranks have read the checkpoint
  if (resumed.metric_changed)
    log_.metric_changed(state_, resumed.former_metric, fingerprints_.metric);
  log_.rollback(state_, diverged.step);
  if (group_.is_main()) save_state();
  if (status_ != nullptr) status_->saved(state_);
  meter_.reset(steady_seconds());
  begin_ = training_progress();
  const auto& after = state_.divergence;
  log_warn(
      "training diverged at step {}: rolled back to {}, continuing with {} of the learning rate "
      "(rollback {} of at most {} without progress)",
      diverged.step, checkpoint, after.learning_rate_factor, after.rollbacks, max_rollbacks);
}

}  // namespace tfm
