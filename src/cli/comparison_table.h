// Formats a table that compares systems: their scores, their confidence intervals and the p-values
// of their differences from the baseline.
#pragma once

#include <string>
#include <vector>

#include "tfm/metrics/comparison.h"

namespace tfm {

/// The p-value below which a difference is significant.
inline constexpr double significance_level = 0.05;

/// A metric with the name and the signature that sacreBLEU prints.
struct NamedMetric {
  Metric metric;
  std::string name;  ///< "BLEU", "chrF2" or the name of a variant, "TER"
  std::string signature;
};

/// Returns a headline, one line per system with aligned columns, and notes. Each system has a
/// result for each metric. A star marks p-values below significance_level.
std::string comparison_table(const std::vector<std::string>& names,
                             const std::vector<NamedMetric>& metrics,
                             const std::vector<SystemResult>& results);

/// Returns " (μ = 33.05 ± 1.02)", to be appended to a score as sacreBLEU does.
std::string format_confidence(const ConfidenceInterval& confidence);

}  // namespace tfm
