// Formats a table that compares systems: their scores, their confidence intervals and the p-values
// of their differences from the baseline.
#pragma once

#include <string>
#include <vector>

#include "tfm/metrics/comparison.h"

namespace tfm {

/// The p-value below which a difference is significant.
inline constexpr double significance_level = 0.05;

/// Returns a headline, one line per system with aligned columns, and a note. `chrf_name` is "chrF2"
/// or the name of a variant. A star marks p-values below significance_level.
std::string comparison_table(const std::vector<std::string>& names, const std::string& chrf_name,
                             const std::vector<SystemResult>& results);

/// Returns " (μ = 33.05 ± 1.02)", to be appended to a score as sacreBLEU does.
std::string format_confidence(const ConfidenceInterval& confidence);

}  // namespace tfm
