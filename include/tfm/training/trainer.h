// The training loop and nothing else: batch, loss, gradient, update; every N updates a log line, a
// validation, a checkpoint. What it works on is made by run.h. It can stop after any update
// (Ctrl-C, a limit, early stopping) and go on from a checkpoint as if it had not. With several
// ranks each takes its share of an update's batches (N ranks equal one with accum_count N times as
// large), all make the same updates, and rank 0 alone logs, validates, saves and decides when to
// stop.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "tfm/config/config.h"
#include "tfm/data/batcher.h"
#include "tfm/data/training_corpus.h"
#include "tfm/distributed/gradient_reducer.h"
#include "tfm/distributed/process_group.h"
#include "tfm/model/batch.h"
#include "tfm/model/model_folder.h"
#include "tfm/optim/optimizer.h"
#include "tfm/training/checkpoint.h"
#include "tfm/training/comm_meter.h"
#include "tfm/training/eta.h"
#include "tfm/training/run_logger.h"
#include "tfm/training/run_status.h"
#include "tfm/training/throughput_meter.h"
#include "tfm/training/validator.h"

namespace tfm {

/// How training ended.
struct TrainingResult {
  std::string reason;  ///< "max_steps reached", "no gain in 5 validations"
  TrainerState progress;
};

/// Of what a run's progress refers to.
struct RunFingerprints {
  /// of the training text and of what decides its batches: a position in the data means nothing in
  /// others
  std::uint32_t data = 0;
  /// of the validation text and of what is best: scores by another measure don't compare
  std::uint32_t score = 0;
};

class Trainer {
 public:
  /// All must outlive it. validator: nullptr where there is no validation text (the last weights
  /// are the model then) and on other ranks than 0.
  Trainer(TranslationModel& model, TrainingCorpus& corpus, const Validator* validator,
          std::filesystem::path run_folder, const ProcessGroup& group);

  void begin(const RunFingerprints& checksums);
  /// Whom to tell how far training is; nullptr: nobody. Must outlive this.
  void set_status(RunStatus* status) { status_ = status; }
  /// Continues from a checkpoint: with a new epoch where the data are others, with the best model's
  /// score by the new measure where that is another.
  void resume(const std::filesystem::path& checkpoint, const RunFingerprints& checksums);

  /// Updates and nothing else: no log, validation or checkpoint. Whether every batch fit into
  /// memory as it was.
  bool run_updates(std::int64_t count);

  /// Trains until a limit of the config is reached. Throws Interrupted after a signal, with a
  /// checkpoint saved.
  TrainingResult run();

 private:
  enum class LoopAction { update, end, stop };
  LoopAction next_action() const;
  CollateOptions batch_format() const;
  Batch batch_of(std::span<const std::int64_t> examples) const;
  std::vector<Batch> next_batches();
  void update();
  double backward(const std::vector<Batch>& batches, double target_tokens);
  double backward_micro_batches(const std::vector<Batch>& parts, std::size_t& at,
                                double target_tokens);
  std::uint32_t restore(const std::filesystem::path& checkpoint);
  bool uses_other_metric(std::uint32_t checksum) const;
  void on_metric_change(std::uint32_t before);
  std::string rescore_best_model();
  void reset_best_score();
  void handle_divergence(const std::vector<Batch>& batches, double loss);
  void roll_back();
  StepMetrics report() const;
  void log_step();
  void log_epoch(std::int64_t before);
  bool should_validate() const;
  bool weights_may_be_invalid() const;
  bool validate();
  [[noreturn]] void stop_interrupted() const;
  void save_validation_result();
  bool is_asked_for(std::int64_t step) const;
  bool needs_score() const;
  bool should_save() const;
  enum class SaveReason { due, interruption, end };
  void save(SaveReason reason);
  double finite_score(const Validation& validation) const;
  bool save_if_best(double score);
  void average_and_validate();
  std::string stop_reason() const;
  double seconds() const;
  TrainingProgress milestones() const;

  TranslationModel& model_;
  const Config& config_;
  const Corpus& corpus_;
  const Validator* validator_;
  std::filesystem::path folder_;
  const ProcessGroup& group_;
  GradientReducer reducer_;
  Batcher batcher_;
  Optimizer optimizer_;
  Checkpoints checkpoints_;
  RunLogger log_;
  bool bf16_;
  RunStatus* status_ = nullptr;
  RunFingerprints checksums_;
  TrainerState progress_;
  ThroughputMeter meter_;
  std::int64_t split_updates_ = 0;
  // the lines of this rank's batches whose loss was not finite in the last update
  std::string non_finite_lines_;
  double learning_rate_ = 0;
  double gradient_norm_ = 0;
  std::int64_t saved_step_ = -1;
  double saved_seconds_ = 0;  // of training, at the last checkpoint
  double session_start_ = 0;
  TrainingProgress begin_;  // of the session
  double seconds_before_ = 0;
  CommMeter traffic_;
};

}  // namespace tfm
