// What a run says: lines for a person on the log, the same as JSON objects in metrics.jsonl for
// programs, as TensorBoard's event files in tensorboard/, and as report.html, made anew at each
// validation. Going on from a checkpoint drops the objects that came after it, and a new run drops
// all, so that a step stands in metrics.jsonl once. At a terminal a line is shown between the
// log's, too.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "tfm/distributed/process_group.h"
#include "tfm/training/checkpoint.h"
#include "tfm/training/tensorboard_file.h"
#include "tfm/training/validator.h"

namespace tfm {

struct StepMetrics {
  double loss = 0;  ///< label-smoothed, per target token, since the last report
  double learning_rate = 0;
  double gradient_norm = 0;
  double tokens_per_second = 0;  ///< source + target
  double eta_seconds = 0;
  /// with several ranks: of rank 0 in one update, on average since the last report
  std::optional<CommStats> traffic;
};

/// "step 50  epoch 1  loss 7.1234  ...": the line of the log and of the terminal.
std::string describe(const TrainerState& progress, const StepMetrics& report);

class RunLogger {
 public:
  /// writes: false on other ranks than 0, which report nothing.
  explicit RunLogger(std::filesystem::path run_folder, bool writes = true)
      : folder_(std::move(run_folder)), writes_(writes) {}

  /// What a checkpoint knows of its step.
  struct Cut {
    /// false: the step's validation is to come once more, and what is there of it goes
    bool validated = true;
    /// CRC-32 of what models were scored by; what the step's validations by another brought goes.
    /// 0: unknown
    std::uint32_t measure = 0;
  };
  /// Forgets everything after this step; -1: everything. What follows belongs to a new session.
  void truncate_after(std::int64_t step, const Cut& cut);
  void truncate_after(std::int64_t step) { truncate_after(step, Cut{}); }
  void step(const TrainerState& progress, const StepMetrics& report);
  /// The last event that was the best so far, as JSON; empty where there is none. To be asked
  /// before a rollback cuts it off.
  std::string best_validation() const;
  /// What models are scored by has changed, if it has: the CRC-32 of what it was when the
  /// checkpoint was written that training goes on from (0: unknown), and of what it is now.
  /// Validations from here on do not compare with those before. best_validation: of the model that
  /// is kept, by the measure of now; may be empty.
  void measure(const TrainerState& progress, std::uint32_t before, std::uint32_t now,
               const std::string& best_validation);
  /// A validation of the model that is kept, as JSON: what measure() and rollback() take.
  static std::string best_event(std::int64_t step, const Validation& validation);
  /// Training went back from step `from` to progress.step. best_validation: of the model that is
  /// kept, stated in the event where it came later.
  void rollback(const TrainerState& progress, std::int64_t from,
                const std::string& best_validation);
  /// The source articles' line: "Epoch: 0001 loss = 2.301934".
  void epoch(const TrainerState& progress, double loss);
  /// best: this is the best so far.
  void validation(const TrainerState& progress, const Validation& validation, bool best);

 private:
  void append(const std::string& line) const;
  void write_scalars(std::int64_t step, const Scalars& scalars);

  std::filesystem::path folder_;
  bool writes_;
  std::optional<EventFileWriter> events_;
};

}  // namespace tfm
