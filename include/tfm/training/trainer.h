// The training loop and nothing else: an update (update_step.h); every N updates a log line, a
// validation, a checkpoint. What it works on is made by run.h. It can stop after any update
// (Ctrl-C, a limit, early stopping) and go on from a checkpoint as if it had not. With several
// ranks each takes its share of an update's batches (N ranks equal one with accum_count N times as
// large), all make the same updates, and rank 0 alone logs, validates, saves and decides when to
// stop.
#pragma once

#include <filesystem>
#include <string>

#include "tfm/config/config.h"
#include "tfm/data/batcher.h"
#include "tfm/data/training_corpus.h"
#include "tfm/distributed/process_group.h"
#include "tfm/model/model_folder.h"
#include "tfm/optim/optimizer.h"
#include "tfm/run/checkpoint_store.h"
#include "tfm/run/run_logger.h"
#include "tfm/run/run_status.h"
#include "tfm/run/transitions.h"
#include "tfm/training/comm_meter.h"
#include "tfm/training/eta.h"
#include "tfm/training/throughput_meter.h"
#include "tfm/training/training_result.h"
#include "tfm/training/update_step.h"
#include "tfm/training/validator.h"

namespace tfm {

class Trainer {
 public:
  /// All must outlive it. validator: nullptr where there is no validation text (the last weights
  /// are the model then) and on other ranks than 0.
  Trainer(TranslationModel& model, TrainingCorpus& corpus, const Validator* validator,
          std::filesystem::path run_folder, const ProcessGroup& group);

  void begin(const Fingerprints& fingerprints);
  /// Where the trainer notes how far it is; nullptr: nowhere. Must outlive this.
  void set_status(RunStatus* status) { status_ = status; }
  /// Continues from a checkpoint: with a new epoch if the data changed, and with the best model's
  /// score by the new metric if that changed.
  void resume(const std::filesystem::path& checkpoint, const Fingerprints& fingerprints);

  /// Trains until a limit of the config is reached. Throws Interrupted after a signal, with a
  /// checkpoint saved.
  TrainingResult run();

 private:
  enum class LoopAction { update, end, interrupt };
  LoopAction next_action() const;
  void update();
  void finish_update();
  TrainerState restore(const std::filesystem::path& checkpoint);
  void warn_of_changes(const Resumed& resumed, const std::filesystem::path& checkpoint) const;
  void on_metric_change(const Resumed& resumed);
  void rescore_best_model();
  void roll_back();
  StepMetrics step_metrics() const;
  void log_step();
  bool model_exists() const;
  [[nodiscard]] bool validate();
  void validate_in_loop();
  void score_and_keep();
  [[noreturn]] void stop_interrupted() const;
  void save_validation_result();
  void save_state();
  void save(SaveReason reason);
  void average_and_validate();
  double seconds() const;
  TrainingProgress training_progress() const;

  TranslationModel& model_;
  const Config& config_;
  const Corpus& corpus_;
  const Validator* validator_;
  std::filesystem::path folder_;
  const ProcessGroup& group_;
  Batcher batcher_;
  Optimizer optimizer_;
  UpdateStep update_step_;
  CheckpointStore checkpoints_;
  RunLogger log_;
  RunStatus* status_ = nullptr;
  Fingerprints fingerprints_;
  TrainerState state_;
  ThroughputMeter meter_;
  UpdateStep::Done last_update_;
  double session_start_ = 0;
  TrainingProgress begin_;  // of the session
  double seconds_before_ = 0;
  CommMeter comm_meter_;
};

}  // namespace tfm
