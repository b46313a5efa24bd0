// A table that compares systems: their scores, confidence intervals, and whether they differ from
// the baseline.
#pragma once

#include <string>
#include <vector>

#include "tfm/metrics/comparison.h"

namespace tfm {

/// The p-value below which a difference is significant.
inline constexpr double significance_level = 0.05;

/// A headline, one line per system with aligned columns, and a note. `chrf_name` is "chrF2" or the
/// name of a variant. A star marks p-values below
/// the significance level.
std::string comparison_table(const std::vector<std::string>& names, const std::string& chrf_name,
                             const std::vector<SystemResult>& results);

/// " (μ = 33.05 ± 1.02)": sacreBLEU's format, to follow a score.
std::string format_confidence(const ConfidenceInterval& confidence);

}  // namespace tfm
