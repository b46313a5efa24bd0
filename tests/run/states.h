// Provides the state and the config from which the tests of transitions start.
#pragma once

#include "tfm/run/trainer_state.h"

namespace tfm {

/// Returns `value` after `change` was applied to it.
template <typename Value, typename Change>
Value with(Value value, Change change) {
  change(value);
  return value;
}

/// Returns the state after ten updates. The validation of step 10 gave the best score so far.
inline TrainerState trained() {
  return {.step = 10,
          .position = {1, 4},
          .seconds = 60,
          .epoch = {8, 4},
          .report = {6, 3},
          .best_score = 20,
          .best_step = 10,
          .best_event = "{}",
          .validations_without_improvement = 0,
          .validated_step = 10,
          .fingerprints = {1, 2},
          .saved = {.step = 10, .seconds = 60}};
}

inline TrainingConfig test_config() {
  TrainingConfig config;
  config.max_steps = 100;
  config.max_epochs = 0;
  config.max_minutes = 0;
  config.early_stopping = 0;
  config.valid_steps = 5;
  config.save_steps = 0;
  config.save_minutes = 0;
  config.keep_checkpoints = 3;
  config.log_every = 4;
  config.divergence_patience = 2;
  return config;
}

using ChangeState = void (*)(TrainerState&);

}  // namespace tfm
