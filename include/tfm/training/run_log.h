// What a run says: lines for a person on the log, the same as JSON objects in metrics.jsonl for programs. Going on from a checkpoint drops the
// objects that came after it, and a new run drops all, so that a step stands in the file once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "tfm/distributed/process_group.h"
#include "tfm/training/checkpoint.h"
#include "tfm/training/validator.h"

namespace tfm {

struct StepReport {
  double loss = 0;  ///< label-smoothed, per target token, since the last report
  double learning_rate = 0;
  double gradient_norm = 0;
  double tokens_per_second = 0;  ///< source + target
  double seconds_left = 0;
  std::optional<Traffic> traffic;  ///< with several ranks: of rank 0 in one update, on average since the last report
};

class RunLog {
 public:
  /// writes: false on other ranks than 0, which report nothing.
  explicit RunLog(const std::filesystem::path& run_folder, bool writes = true) : file_(run_folder / "metrics.jsonl"), writes_(writes) {}

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
  bool writes_;
};

}  // namespace tfm
