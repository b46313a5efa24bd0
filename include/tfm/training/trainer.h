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
#include "tfm/data/batch.h"
#include "tfm/data/batcher.h"
#include "tfm/data/training_corpus.h"
#include "tfm/distributed/gradient_reducer.h"
#include "tfm/distributed/process_group.h"
#include "tfm/metrics/meter.h"
#include "tfm/training/checkpoint.h"
#include "tfm/training/optimizer.h"
#include "tfm/training/pace.h"
#include "tfm/training/run_log.h"
#include "tfm/training/run_status.h"
#include "tfm/training/traffic_meter.h"
#include "tfm/training/validator.h"
#include "tfm/translate/model_folder.h"

namespace tfm {

/// How training ended.
struct TrainingEnd {
  std::string reason;  ///< "max_steps reached", "no gain in 5 validations"
  Progress progress;
};

/// Of what a run's progress refers to.
struct RunChecksums {
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
          std::filesystem::path run_folder, const World& world);

  void begin(const RunChecksums& checksums);
  /// Whom to tell how far training is; nullptr: nobody. Must outlive this.
  void report_to(RunStatus* status) { status_ = status; }
  /// Continues from a checkpoint: with a new epoch where the data are others, with the best model's
  /// score by the new measure where that is another.
  void resume(const std::filesystem::path& checkpoint, const RunChecksums& checksums);

  /// Updates and nothing else: no log, validation or checkpoint. Whether every batch fit into
  /// memory as it was.
  bool try_updates(std::int64_t count);

  /// Trains until a limit of the config is reached. Throws Interrupted after a signal, with a
  /// checkpoint saved.
  TrainingEnd run();

 private:
  enum class NextMove { update, end, stop };
  NextMove next_move() const;
  BatchFormat batch_format() const;
  Batch batch_of(std::span<const std::int64_t> examples) const;
  std::vector<Batch> next_batches();
  void update();
  double backward(const std::vector<Batch>& batches, double target_tokens);
  double backward_parts(const std::vector<Batch>& parts, std::size_t& at, double target_tokens);
  std::uint32_t restore(const std::filesystem::path& checkpoint);
  bool is_other_measure(std::uint32_t checksum) const;
  void adopt_measure(std::uint32_t before);
  std::string score_kept_model();
  void forget_score();
  void see_to_divergence(const std::vector<Batch>& batches, double loss);
  void roll_back();
  StepReport report() const;
  void log_step();
  void log_epoch(std::int64_t before);
  bool validation_is_due() const;
  bool weights_are_suspect() const;
  bool validate();
  [[noreturn]] void stop_interrupted() const;
  void save_score();
  bool is_asked_for(std::int64_t step) const;
  bool lacks_score() const;
  bool save_is_due() const;
  enum class SaveReason { due, interruption, end };
  void save(SaveReason reason);
  double finite_score(const Validation& validation) const;
  bool keep_if_best(double score);
  void try_average();
  std::string stop_reason() const;
  double seconds() const;
  Milestones milestones() const;

  TranslationModel& model_;
  const Config& config_;
  const Corpus& corpus_;
  const Validator* validator_;
  std::filesystem::path folder_;
  const World& world_;
  GradientReducer reducer_;
  Batcher batcher_;
  Optimizer optimizer_;
  Checkpoints checkpoints_;
  RunLog log_;
  bool bf16_;
  RunStatus* status_ = nullptr;
  RunChecksums checksums_;
  Progress progress_;
  Meter meter_;
  std::int64_t divided_updates_ = 0;
  // the lines of this rank's batches whose loss was not finite in the last update
  std::string suspects_;
  double learning_rate_ = 0;
  double gradient_norm_ = 0;
  std::int64_t saved_step_ = -1;
  double saved_seconds_ = 0;  // of training, at the last checkpoint
  double session_start_ = 0;
  Milestones begin_;  // of the session
  double seconds_before_ = 0;
  TrafficMeter traffic_;
};

}  // namespace tfm
