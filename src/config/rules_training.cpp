#include <regex>

#include "rules.h"

namespace tfm {
namespace {

void check_end(const TrainingConfig& training, Violations& found) {
  if (training.max_steps == 0 && training.max_epochs == 0 && training.max_minutes == 0) {
    found.push_back({{"training.max_steps", "training.max_epochs", "training.max_minutes"},
                     "training would never end",
                     "set one of them above 0"});
  }
  if (training.max_steps == TrainingConfig::automatic_steps && training.max_minutes == 0) {
    found.push_back({{"training.max_steps", "training.max_minutes"},
                     "auto needs a time limit, from which it computes the number of steps",
                     "set max_minutes above 0"});
  }
}

void check_early_stopping(const Config& config, Violations& found) {
  if (config.training.early_stopping == 0) return;
  if (config.training.valid_steps == 0) {
    found.push_back({{"training.early_stopping", "training.valid_steps"},
                     "early stopping counts validations, but valid_steps turns them off",
                     "set valid_steps above 0"});
  }
  if (config.data.valid_source.empty() && config.data.valid_tsv.empty()) {
    found.push_back({{"training.early_stopping", "data.valid_source"},
                     "early stopping needs a validation set",
                     "set valid_source and valid_target, or set early_stopping to 0"});
  }
}

void check_cosine(const TrainingConfig& training, Violations& found) {
  if (training.decay_steps == 0 && training.max_steps == 0) {
    found.push_back({{"training.decay_steps", "training.max_steps", "training.schedule"},
                     "the step at which cosine ends is not given",
                     "set decay_steps or max_steps above 0"});
  }
  const std::int64_t end = training.decay_steps > 0 ? training.decay_steps : training.max_steps;
  if (end > 0 && end <= training.warmup_steps) {
    const std::string name = training.decay_steps > 0 ? "decay_steps" : "max_steps";
    found.push_back(
        {{"training." + name, "training.warmup_steps", "training.schedule"},
         "the cosine would end at step " + std::to_string(end) + ", before the end of the warmup",
         "raise " + name + " above " + std::to_string(training.warmup_steps) +
             ", or lower warmup_steps below " + std::to_string(end)});
  }
}

}  // namespace

void check_regularisers(const Config& config, Violations& found) {
  const TrainingConfig& training = config.training;
  const ModelConfig& model = config.model;
  if (training.r_drop > 0 && training.simcut > 0) {
    found.push_back({{"training.r_drop", "training.simcut"},
                     "both predict each batch twice, in different ways",
                     "set one of them to 0"});
  }
  if (training.simcut > 0 && training.simcut_probability == 0) {
    found.push_back({{"training.simcut", "training.simcut_probability"},
                     "no token would be cut",
                     "set simcut_probability above 0 (the default is 0.05), or simcut to 0"});
  }
  const bool random = model.dropout > 0 || model.resolved_embedding_dropout() > 0 ||
                      model.attention_dropout > 0 || model.activation_dropout > 0 ||
                      training.token_dropout > 0;
  if (training.r_drop > 0 && !random) {
    found.push_back({{"training.r_drop", "model.dropout"},
                     "without dropout, both predictions are the same",
                     "set dropout above 0, or r_drop to 0"});
  }
  if (training.ema_decay > 0 && training.average_checkpoints > 0) {
    found.push_back({{"training.ema_decay", "training.average_checkpoints"},
                     "both average the weights of the last updates",
                     "set one of them to 0"});
  }
}

void check_schedule(const TrainingConfig& training, Violations& found) {
  if (training.schedule == ScheduleKind::inverse_sqrt && training.warmup_steps == 0) {
    found.push_back({{"training.warmup_steps", "training.schedule"},
                     "inverse_sqrt is scaled by the length of its warmup",
                     "set warmup_steps to 1 or more"});
  }
  if (training.schedule == ScheduleKind::cosine) check_cosine(training, found);
  const bool falls =
      training.schedule == ScheduleKind::cosine || training.schedule == ScheduleKind::sgdr;
  if (falls && training.min_learning_rate > training.learning_rate) {
    found.push_back({{"training.min_learning_rate", "training.learning_rate"},
                     "the schedule would end above its highest learning rate",
                     "lower min_learning_rate"});
  }
}

void check_run(const Config& config, Violations& found) {
  const TrainingConfig& training = config.training;
  static const std::regex device("auto|cpu|cuda(:[0-9]{1,3})?");
  if (!std::regex_match(training.device, device)) {
    found.push_back({{"training.device"},
                     "'" + training.device + "' is not a device",
                     "use auto, cpu, cuda or cuda:N"});
  }
  check_end(training, found);
  if (training.average_checkpoints > training.keep_checkpoints) {
    found.push_back({{"training.average_checkpoints", "training.keep_checkpoints"},
                     "cannot average " + std::to_string(training.average_checkpoints) +
                         " checkpoints, because only " + std::to_string(training.keep_checkpoints) +
                         " are kept",
                     "raise keep_checkpoints"});
  }
  check_early_stopping(config, found);
}

}  // namespace tfm
