// What `tfm evaluate` prints: the scores of one system, or the comparison of several, as text or as
// JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "comparison_table.h"
#include "tfm/metrics/comparison.h"

namespace tfm {

struct EvaluationReport {
  std::vector<std::string> names;  ///< of the systems: files, or the folder of the model
  std::vector<SystemResult> results;
  std::vector<NamedMetric> metrics;  ///< in the order of printing; each has a result
  bool has_confidence = false;       ///< true if the scores were resampled
  std::optional<double> alignment_error_rate{};
};

/// Returns lines as sacreBLEU prints them for one system, and a table for several.
std::string evaluation_text(const EvaluationReport& report);

/// Returns one JSON object (docs/file-formats.md).
std::string evaluation_json(const EvaluationReport& report);

}  // namespace tfm
