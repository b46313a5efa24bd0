// Systems beside each other for a person to read: scores, their confidence, and whether they differ
// from the baseline.
#pragma once

#include <string>
#include <vector>

#include "tfm/metrics/comparison.h"

namespace tfm {

/// Below this p-value a difference counts as more than chance.
inline constexpr double significance_level = 0.05;

/// A line a system under a headline, columns aligned; a star behind p-values below the significance
/// level, and a last line that says what it means.
std::string comparison_table(const std::vector<std::string>& names,
                             const std::vector<SystemResult>& results);

/// " (μ = 33.05 ± 1.02)", as sacreBLEU puts it behind a score.
std::string format_confidence(const ConfidenceInterval& confidence);

}  // namespace tfm
