// What a run says: lines for a person on the log, the same as JSON objects in metrics.jsonl for programs. Going on from a checkpoint drops the
// objects that came after it, and a new run drops all, so that a step stands in the file once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "tfm/training/checkpoint.h"
#include "tfm/training/validator.h"

namespace tfm {

struct StepReport {
  double loss = 0;  ///< label-smoothed, per target token, since the last report
  double learning_rate = 0;
  double gradient_norm = 0;
  double tokens_per_second = 0;  ///< source + target
  double seconds_left = 0;
};

class RunLog {
 public:
  explicit RunLog(const std::filesystem::path& run_folder) : file_(run_folder / "metrics.jsonl") {}

  /// Forgets everything after this step; -1: everything.
  void cut_after(std::int64_t step) const;
  void step(const Progress& progress, const StepReport& report) const;
  /// The source articles' line: "Epoch: 0001 loss = 2.301934".
  void epoch(const Progress& progress, double loss) const;
  /// first: this is the best so far.
  void validation(const Progress& progress, const Validation& validation, bool best) const;

 private:
  void append(const std::string& line) const;

  std::filesystem::path file_;
};

}  // namespace tfm
