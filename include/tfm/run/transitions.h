// What a run decides, as pure functions of its config, its state and an event: no file, clock,
// tensor or rank. The trainer carries the decisions out. "updated", "validated" and so on return
// the state after the event of that name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tfm/config/config.h"
#include "tfm/run/divergence.h"
#include "tfm/run/retention.h"
#include "tfm/run/trainer_state.h"

namespace tfm {

/// Returns why training ends; nothing while it goes on.
std::optional<std::string> stop_reason(const TrainingConfig& config, const TrainerState& state);

/// The outcome of one update, over all ranks.
struct UpdateDone {
  DataPosition position;  ///< of the next batch
  double seconds = 0;     ///< the training time of all sessions
  double loss = 0;        ///< summed over the target tokens
  std::int64_t target_tokens = 0;
  bool finite = true;  ///< the loss and the gradient's norm; otherwise the weights did not change
};

struct Updated {
  TrainerState state;
  DivergenceAction action = DivergenceAction::none;
};
Updated updated(const TrainingConfig& config, TrainerState state, const UpdateDone& done);

/// What is due after an update, in this order.
struct Decisions {
  bool log_step = false;
  bool log_epoch = false;
  bool begin_epoch = false;  ///< the sums of the epoch begin anew
  bool save = false;
  bool validate = false;

  bool operator==(const Decisions&) const = default;
};
/// before: the state that the update began with; the update may end several epochs.
Decisions decide(const TrainingConfig& config, const TrainerState& before,
                 const TrainerState& state);

TrainerState step_logged(TrainerState state);
TrainerState epoch_begun(const TrainingConfig& config, TrainerState state);

/// Returns whether the config asks for a validation at this step.
bool should_validate(const TrainingConfig& config, const TrainerState& state);
/// Returns whether the weights may be what made the last updates fail. At the end of training they
/// are the last weights there will be: one skipped update is no reason to end without a model.
bool weights_may_be_invalid(const TrainingConfig& config, const TrainerState& state,
                            bool model_exists);

/// A score that is not finite (a diverged model's loss) counts as the worst.
double finite_score(double score);

struct Validated {
  TrainerState state;
  bool is_best = false;  ///< the weights become the run's model
};
/// score: nothing if the model gave no finite numbers at all.
Validated validated(TrainerState state, std::optional<double> score);
/// Without validation text the newest weights are the model.
TrainerState kept_without_score(TrainerState state);
/// The state after the mean of the last checkpoints was validated.
TrainerState averaged(const TrainerState& before, TrainerState validated);

enum class SaveReason {
  scheduled,
  unscheduled,  ///< training stops before its end: an interruption, or an error in a validation
  end,          ///< training has ended
};

struct Saving {
  TrainerState state;
  bool write = false;          ///< a new checkpoint
  bool rewrite_state = false;  ///< of the newest checkpoint
  /// Older checkpoints may go. Nothing: all stay, as training may have to go back to them.
  std::optional<RetentionPolicy> retention;
};
/// has_validation: until the weights of a validated step have a score, one checkpoint more stays.
Saving saving(const TrainingConfig& config, TrainerState state, SaveReason reason,
              bool has_validation);
/// Returns what may go once the newest checkpoint's weights have a score.
std::optional<RetentionPolicy> retention_after_validation(const TrainingConfig& config,
                                                          const TrainerState& state,
                                                          bool has_validation);

struct Resumed {
  TrainerState state;
  bool data_changed = false;        ///< training goes on with a new epoch
  bool metric_changed = false;      ///< earlier scores do not count
  bool model_gone = false;          ///< the next validation is the best so far
  std::uint32_t former_metric = 0;  ///< the checkpoint's; 0: unknown
};
Resumed resumed(TrainerState checkpoint, const Fingerprints& now, bool model_exists);

/// Returns the state after a rollback. diverged: the state that training goes back from, whose best
/// model is still there. checkpoint: the state that resumed() made of the checkpoint.
TrainerState rolled_back(const TrainingConfig& config, const TrainerState& diverged,
                         TrainerState checkpoint);

}  // namespace tfm
