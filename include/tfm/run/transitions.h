// Makes the decisions of a run, in pure functions of its config, its state and an event. They use
// no file, clock, tensor or rank; the trainer carries the decisions out. Functions named after an
// event, such as updated() and validated(), return the state after that event.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tfm/config/config.h"
#include "tfm/run/divergence.h"
#include "tfm/run/retention.h"
#include "tfm/run/trainer_state.h"

namespace tfm {

/// Returns why training ends, or nullopt if it continues.
std::optional<std::string> stop_reason(const TrainingConfig& config, const TrainerState& state);

/// Returns whether a run that resumes from the checkpoint would have nothing left to do. There must
/// be a stop_reason(), the fingerprints must be unchanged, and the checkpoint's weights must have
/// been validated, or saved as the model if there is no validation data. If the config requires an
/// average, averaged_step must be the checkpoint's step.
bool is_complete(const TrainingConfig& config, const TrainerState& checkpoint,
                 const Fingerprints& now);

/// The outcome of one update. Loss and target tokens are sums over all ranks.
struct UpdateDone {
  DataPosition position;  ///< the position of the next batch
  double seconds = 0;     ///< the training time of all sessions
  double loss = 0;        ///< the sum of the loss over the target tokens
  std::int64_t target_tokens = 0;
  /// Whether loss and gradient norm were finite. If not, the update was skipped. Also true if only
  /// the gradient in fp16 was not, because its loss scale was too large.
  bool finite = true;
};

struct Updated {
  TrainerState state;
  DivergenceAction action = DivergenceAction::none;
};
/// Returns the state after an update, and the action to take if the update was not finite.
Updated updated(const TrainingConfig& config, TrainerState state, const UpdateDone& done);

/// The actions due after an update, in this order.
struct Decisions {
  bool log_step = false;
  bool log_epoch = false;
  bool begin_epoch = false;  ///< whether to call epoch_begun()
  bool save = false;
  bool validate = false;

  bool operator==(const Decisions&) const = default;
};
/// Decides what to do after an update that led from `before` to `state`. A single update may end
/// several epochs.
Decisions decide(const TrainingConfig& config, const TrainerState& before,
                 const TrainerState& state);

/// Returns the state after a log line: the loss of the next line starts from zero.
TrainerState step_logged(TrainerState state);
/// Returns the state at the start of an epoch: the loss of the epoch starts from zero.
TrainerState epoch_begun(const TrainingConfig& config, TrainerState state);

/// Returns whether the config requires a validation at this step.
bool should_validate(const TrainingConfig& config, const TrainerState& state);
/// Returns whether the last updates were skipped, possibly because of invalid weights, which are
/// then not validated. At the end of training, returns true only if at least divergence_patience
/// updates were skipped and a model exists. If no model exists, these weights have to become it.
bool weights_may_be_invalid(const TrainingConfig& config, const TrainerState& state,
                            bool model_exists);

/// Returns the score, or the lowest double if the score is not finite, as for a model that has
/// diverged.
double finite_score(double score);

struct Validated {
  TrainerState state;
  bool is_best = false;  ///< whether the weights become the run's model
};
/// Returns the state after a validation. `score` is nullopt if the model's outputs were not finite.
Validated validated(TrainerState state, std::optional<double> score);
/// Returns the state after the newest weights became the run's model without a validation, because
/// there is no validation data.
TrainerState kept_without_score(TrainerState state);
/// Returns the state after the validation of the averaged checkpoints led from `before` to
/// `validated`.
TrainerState averaged(const TrainerState& before, TrainerState validated);

enum class SaveReason {
  scheduled,
  unscheduled,  ///< training stops early because of an interruption or an error in a validation
  end,          ///< training has ended
};

struct Saving {
  TrainerState state;
  bool write = false;          ///< whether to write a new checkpoint
  bool rewrite_state = false;  ///< whether to rewrite the state of the newest checkpoint
  /// The policy for removing older checkpoints. nullopt if none is removed, for example because
  /// training may have to roll back to one of them.
  std::optional<RetentionPolicy> retention;
};
/// Decides what to save. If the weights still have to be validated, one checkpoint more than
/// training.keep_checkpoints is kept until the validation has given a score, unless the reason is
/// SaveReason::unscheduled.
Saving saving(const TrainingConfig& config, TrainerState state, SaveReason reason,
              bool has_validation);
/// Returns the policy for removing checkpoints after the newest one was validated. Returns nullopt
/// if the newest one is unscheduled or the validation gave no score.
std::optional<RetentionPolicy> retention_after_validation(const TrainingConfig& config,
                                                          const TrainerState& state,
                                                          bool has_validation);

struct Resumed {
  TrainerState state;
  bool data_changed = false;    ///< whether training has to continue with a new epoch
  bool metric_changed = false;  ///< whether earlier scores no longer count
  /// Whether the checkpoint's run had a best model, but model.safetensors is missing. If so, the
  /// next validation is the best so far.
  bool model_gone = false;
  std::uint32_t former_metric = 0;  ///< the checkpoint's metric fingerprint; 0 if unknown
};
/// Returns the state with which a session resumes. `now` has the fingerprints of the current data
/// and metric.
Resumed resumed(TrainerState checkpoint, const Fingerprints& now, bool model_exists);

/// Returns the state after a rollback from `diverged` to `checkpoint`, which is the state that
/// resumed() returned for the rollback's target. The best model of `diverged` is kept.
TrainerState rolled_back(const TrainingConfig& config, const TrainerState& diverged,
                         TrainerState checkpoint);

}  // namespace tfm
