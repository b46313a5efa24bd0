// The result of Trainer::run: why training ended, and its last state.
#pragma once

#include <string>

#include "tfm/run/trainer_state.h"

namespace tfm {

struct TrainingResult {
  std::string reason;  ///< why training ended, e.g. "max_steps 500 reached"
  TrainerState state;
};

}  // namespace tfm
