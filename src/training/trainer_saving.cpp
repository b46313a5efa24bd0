// Implements the member functions of Trainer that save the best model, checkpoints and the average
// of the last checkpoints.
#include <algorithm>
#include <cmath>
#include <utility>

#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/model/manifest.h"
#include "tfm/tensor/runtime.h"
#include "tfm/training/checkpoint_contents.h"
#include "tfm/training/trainer.h"

namespace tfm {

/// Validates the weights and saves them as the best model if they have the best score. If the model
/// can't be written, the state stays unchanged, so that a resumed run validates again.
void Trainer::score_and_keep() {
  const EmaWeightsGuard averaged(optimizer_.average());
  release_cached_memory();  // memory cached by updates would add to the peak
  const auto validation = validator_->run(model_);
  release_cached_memory();
  auto next = validated(state_, validation.score(config_.training.best_by));
  if (next.is_best) write_model();
  state_ = std::move(next.state);
  auto event = log_.validation(state_, validation, next.is_best);
  if (next.is_best) state_.best_event = std::move(event);
}

/// Writes the weights as the model of the run folder. Removes the manifest first, so that a kill
/// between the writes leaves a model without a manifest, which does not count as corrupt.
void Trainer::write_model() const {
  std::filesystem::remove(folder_ / manifest_file);
  write_safetensors(folder_ / weights_file, state_dict(*model_.network));
  write_manifest(folder_, {weights_file});
}

/// If this step has a checkpoint, writes the result of the validation to it, and then removes the
/// older checkpoints that are no longer needed.
void Trainer::save_validation_result() {
  if (state_.saved.step != state_.step) return;
  state_.saved.seconds = state_.seconds;  // read_state sets the same value when a run resumes
  if (log_.replaces_validation(state_.step)) {
    state_.log_bytes.reset();  // the length of metrics.jsonl is about to change
    checkpoints_.save_state(state_);
    log_.drop_replaced_validation(state_.step);
  }
  save_state();
  const auto retention =
      retention_after_validation(config_.training, state_, validator_ != nullptr);
  if (retention) checkpoints_.remove_old(*retention);
}

/// Rewrites the state file of the newest checkpoint.
void Trainer::save_state() {
  state_.log_bytes = log_.bytes();
  checkpoints_.save_state(state_);
}

void Trainer::save(SaveReason reason) {
  state_.saved.seconds = seconds();
  if (!group_.is_main()) return;
  auto next = saving(config_.training, state_, reason, validator_ != nullptr);
  next.state.log_bytes = log_.bytes();
  if (next.write) {
    checkpoints_.save(next.state, [&](const std::filesystem::path& folder) {
      write_tensors(folder, model_.network, optimizer_);
    });
  }
  if (next.rewrite_state) checkpoints_.save_state(next.state);
  state_ = std::move(next.state);
  if (next.retention) checkpoints_.remove_old(*next.retention);
  if (next.write && status_ != nullptr) status_->saved(state_);
}

/// Averages the weights of the last checkpoints at the end of training. The average becomes the
/// model if it scores better, or if there is no validation data.
void Trainer::average_and_validate() {
  if (!group_.is_main()) return;
  const auto count = static_cast<std::size_t>(config_.training.average_checkpoints);
  if (count < 2 || state_.averaged_step == state_.step) return;
  auto checkpoints = checkpoints_.list_averageable();
  if (checkpoints.size() < 2) {
    state_.averaged_step = state_.step;  // otherwise the run would not count as complete
    save_state();
    return;
  }
  if (checkpoints.size() > count)
    checkpoints.erase(checkpoints.begin(), checkpoints.end() - static_cast<std::ptrdiff_t>(count));
  load_state_dict(*model_.network, average_weights(checkpoints), folder_);
  log_info("average of the last {} checkpoints:", checkpoints.size());
  state_.validated_step.reset();
  // validate() saves this field together with the score, so that a run killed after validate() does
  // not score the average again.
  state_.averaged_step = state_.step;
  const auto before = state_;
  if (!validate()) stop_interrupted();
  state_ = averaged(before, std::move(state_));
  save_state();
}

}  // namespace tfm
