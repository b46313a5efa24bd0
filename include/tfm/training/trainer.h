// Runs the training loop: makes updates (update_step.h), and logs, validates and saves checkpoints
// at intervals. Training can stop after any update (Ctrl-C, a limit, early stopping) and resume
// from a checkpoint as if it had never stopped.
// With several ranks, each computes its share of an update's batches, and all make the same
// updates: N ranks equal one rank with N times accum_count. Only rank 0 logs, validates, saves and
// decides when to stop.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tfm/config/config.h"
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
#include "tfm/training/time_plan.h"
#include "tfm/training/training_result.h"
#include "tfm/training/update_input.h"
#include "tfm/training/update_step.h"
#include "tfm/training/validator.h"

namespace tfm {

class Trainer {
 public:
  /// All arguments must outlive the trainer. `validator` is null on ranks other than 0, and if
  /// there is no validation data. Without validation data, the last weights become the model.
  Trainer(TranslationModel& model, TrainingCorpus& corpus, const Validator* validator,
          std::filesystem::path run_folder, const ProcessGroup& group);

  /// Starts a new run.
  void begin(const Fingerprints& fingerprints);
  /// Sets the status file to keep up to date; nullptr for none. `status` must outlive the trainer.
  void set_status(RunStatus* status) { status_ = status; }
  /// Sets the plan that determined max_steps. Just before the first validation, max_steps is
  /// corrected if updates took longer or shorter than measured, and is written to the run's config.
  void set_plan(const MeasuredPlan& plan) { plan_ = plan; }
  /// The number of updates of a session before the one whose operations are recorded: the first
  /// ones take longer.
  static constexpr std::int64_t updates_before_trace = 10;
  /// Writes the operations of one update to a file (OperationTrace). An empty path writes none.
  void set_trace(std::filesystem::path file) { trace_file_ = std::move(file); }
  /// Resumes from a checkpoint. If the data changed, a new epoch begins. If the metric changed, the
  /// best model is scored again. Throws Interrupted if a signal interrupts the scoring.
  void resume(const std::filesystem::path& checkpoint, const Fingerprints& fingerprints);
  /// Records in checkpoints whether `max_steps: auto` determined the number of updates. Must be
  /// called after begin() or resume().
  void set_fitted_steps(bool fitted) { state_.has_fitted_steps = fitted; }

  /// Trains until a limit of the config is reached. After a signal, saves a checkpoint and throws
  /// Interrupted. Throws ModelError if training diverges and does not recover.
  TrainingResult run();

 private:
  enum class LoopAction { update, end, interrupt };
  LoopAction next_action();
  void make_input(DataPosition start);
  void take_batches();
  void update();
  bool is_traced() const;
  void trace_update();
  void finish_update();
  TrainerState restore(const std::filesystem::path& checkpoint);
  void warn_of_changed_data(const Resumed& resumed, const std::filesystem::path& checkpoint) const;
  void find_position(const Resumed& resumed);
  void rescore_best_model();
  void roll_back();
  StepMetrics step_metrics() const;
  void log_step();
  bool model_exists() const;
  void write_model() const;
  [[nodiscard]] bool validate();
  void validate_in_loop();
  void correct_plan();
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
  TrainingCorpus& training_corpus_;
  Optimizer optimizer_;
  UpdateStep update_step_;
  CheckpointStore checkpoints_;
  RunLogger log_;
  RunStatus* status_ = nullptr;
  std::filesystem::path trace_file_;  // empty if nothing is left to trace
  std::optional<MeasuredPlan> plan_;  // nullopt without `max_steps: auto`, or once corrected
  Fingerprints fingerprints_;
  TrainerState state_;
  ThroughputMeter meter_;
  UpdateStep::Done last_update_;
  double session_start_ = 0;
  TrainingProgress begin_;  // the progress at the start of the session or after its last rollback
  double seconds_before_ = 0;
  CommMeter comm_meter_;
  std::vector<Batch> batches_;  // of the next update; empty if they have not been taken
  // Set by begin() or resume(). Destroyed first, because its thread uses update_step_.
  std::optional<UpdateInput> input_;
};

}  // namespace tfm
