// What a run reports: lines for a person on the log, the same as JSON objects in metrics.jsonl for
// programs, as TensorBoard's event files in tensorboard/, and as report.html, made anew at each
// validation. Resuming from a checkpoint cuts metrics.jsonl to its length at the checkpoint and a
// new run empties it, so that a step stands there once. Nothing is read there to decide anything.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "tfm/run/tensorboard_file.h"
#include "tfm/run/trainer_state.h"
#include "tfm/run/validation.h"

namespace tfm {

/// What one update cost rank 0 in communication, on average since the last report.
struct CommCost {
  double bytes = 0;
  double wait_seconds = 0;
};

struct StepMetrics {
  double loss = 0;  ///< label-smoothed, per target token, since the last report
  double learning_rate = 0;
  double gradient_norm = 0;
  double tokens_per_second = 0;  ///< source + target
  double eta_seconds = 0;
  std::optional<CommCost> communication;  ///< with several ranks
};

/// Returns the line of the log and of the terminal: "step 50  epoch 1  loss 7.1234  ...".
std::string describe(const TrainerState& state, const StepMetrics& report);

class RunLogger {
 public:
  /// writes: false on other ranks than 0, which write no file.
  explicit RunLogger(std::filesystem::path run_folder, bool writes = true)
      : folder_(std::move(run_folder)), writes_(writes) {}

  /// Begins a new run: metrics.jsonl becomes empty.
  void begin();
  /// Begins a session that continues from a checkpoint's state: later events go. model_exists:
  /// false if the validation of the state's step will be repeated, so that its events go as well.
  /// Returns the state with what a checkpoint of a former version lacks.
  TrainerState resume(TrainerState checkpoint, bool model_exists);
  /// Returns the length of metrics.jsonl; nothing if this rank writes no files.
  std::optional<std::uint64_t> bytes() const;

  void step(const TrainerState& state, const StepMetrics& report);
  /// The line of the source articles: "Epoch: 0001 loss = 2.301934".
  void epoch(const TrainerState& state);
  /// Returns the event. best: this validation is the best so far.
  std::string validation(const TrainerState& state, const Validation& validation, bool best);
  /// Reports that models are scored by another metric from here on. The fingerprints are those of
  /// the checkpoint and of now. state.best_event: the validation of the run's model by the metric
  /// of now; may be empty.
  void metric_changed(const TrainerState& state, std::uint32_t before, std::uint32_t now);
  /// Reports that training went back from step `from` to state.step.
  void rollback(const TrainerState& state, std::int64_t from);

 private:
  void append(const std::string& line) const;
  void write_scalars(std::int64_t step, const Scalars& scalars);

  std::filesystem::path folder_;
  bool writes_;
  std::optional<EventFileWriter> events_;
};

/// Returns the event of a best validation, without samples.
std::string best_validation_event(std::int64_t step, const Validation& validation);

}  // namespace tfm
