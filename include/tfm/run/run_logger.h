// Records a run in four forms: log lines for people, JSON objects in metrics.jsonl for programs,
// TensorBoard event files, and report.html, rewritten at each validation. Resuming truncates
// metrics.jsonl to its length at the checkpoint, and a new run empties the file, so that no update
// is recorded twice. The trainer never reads these files to make a decision. Functions that write
// throw ModelError if a file can't be written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "tfm/run/run_facts.h"
#include "tfm/run/tensorboard_file.h"
#include "tfm/run/trainer_state.h"
#include "tfm/run/validation.h"

namespace tfm {

inline constexpr const char* metrics_file = "metrics.jsonl";

/// The mean communication cost per update on rank 0 since the last report.
struct CommCost {
  double bytes = 0;
  double wait_seconds = 0;
};

struct StepMetrics {
  double loss = 0;  ///< the mean label-smoothed loss per target token since the last report
  double learning_rate = 0;
  double gradient_norm = 0;
  double tokens_per_second = 0;  ///< source and target tokens together
  double eta_seconds = 0;
  std::optional<CommCost> communication;  ///< set if there are several ranks
  std::int64_t max_steps = 0;             ///< the step at which training ends; 0 if unknown
  std::int64_t max_epochs = 0;            ///< the epoch at which training ends; 0 if unknown
};

/// Returns the text of a log line or of the progress line: "step 50/600  epoch 1/10  loss ...".
std::string describe(const TrainerState& state, const StepMetrics& report);

class RunLogger {
 public:
  /// `writes` must be true on rank 0 and false on the others, which write no files. `facts` are the
  /// facts of this session; with nullopt, none are recorded.
  explicit RunLogger(std::filesystem::path run_folder, bool writes = true,
                     std::optional<RunFacts> facts = std::nullopt)
      : folder_(std::move(run_folder)), writes_(writes), facts_(std::move(facts)) {}

  /// Begins a new run and empties metrics.jsonl.
  void begin();
  /// Begins a session that resumes from a checkpoint, and removes the events after the checkpoint.
  /// If the checkpoint's step will be validated again, for example because model_exists is false,
  /// the earlier validation of this step is removed, too. Returns the checkpoint's state. If that
  /// state has no log_bytes, its best_event is read from metrics.jsonl.
  TrainerState resume(TrainerState checkpoint, bool model_exists);
  /// Returns the length of metrics.jsonl in bytes; nullopt if this rank writes no files, or if the
  /// file does not exist.
  std::optional<std::uint64_t> bytes() const;

  /// Logs the metrics since the last report.
  void step(const TrainerState& state, const StepMetrics& report);
  /// Logs the mean loss of the epoch that has ended: "Epoch: 0001 loss = 2.301934". The articles
  /// that docs/models.md describes use this format.
  void epoch(const TrainerState& state);
  /// Logs a validation; `best` states whether its score is the highest so far. Returns the event of
  /// the validation as JSON.
  std::string validation(const TrainerState& state, const Validation& validation, bool best);
  /// Records that models are scored by another metric from now on; `before` and `now` are the
  /// metrics' fingerprints. state.best_event is the validation of the best model by the new metric,
  /// or empty.
  void metric_changed(const TrainerState& state, std::uint32_t before, std::uint32_t now);
  /// Returns whether the metric changed at this step, so that a new validation replaces the earlier
  /// one of this step.
  bool replaces_validation(std::int64_t step) const;
  /// Removes all validations of `step` except the newest. Call this only after a checkpoint with
  /// the new metric has been saved, because a run that is killed before then still needs the former
  /// validation.
  void drop_replaced_validation(std::int64_t step);
  /// Records a rollback from step `from` to state.step.
  void rollback(const TrainerState& state, std::int64_t from);

 private:
  void append(const std::string& line) const;
  void record_facts(std::int64_t step, const std::optional<RunFacts>& last) const;
  void write_scalars(std::int64_t step, const Scalars& scalars);

  std::filesystem::path folder_;
  bool writes_;
  std::optional<RunFacts> facts_;
  std::optional<EventFileWriter> events_;
  bool has_page_ = false;  // whether this session has written its page
  // the step at which the metric changed; nullopt if no validation is to be replaced
  std::optional<std::int64_t> replaced_step_;
};

/// Returns the event of a validation that is the best so far, as JSON and without samples.
std::string best_validation_event(std::int64_t step, const Validation& validation);

}  // namespace tfm
