// Compares systems on the same test set by BLEU and chrF2, with paired bootstrap resampling
// (bootstrap.h). The first system is the baseline.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tfm/metrics/bleu.h"
#include "tfm/metrics/bootstrap.h"
#include "tfm/metrics/chrf.h"
#include "tfm/metrics/references.h"

namespace tfm {

struct ComparisonOptions {
  BleuOptions bleu{};
  ChrfOptions chrf{};
  BootstrapOptions bootstrap{};
};

/// The result of one metric for one system.
struct MetricResult {
  double score = 0;               ///< score on the complete test set
  ConfidenceInterval confidence;  ///< mean and interval of the resampled scores
  /// p-value of the difference from the baseline; nullopt for the baseline itself
  std::optional<double> p_value;
};

struct SystemResult {
  BleuScore bleu_details;
  MetricResult bleu;
  MetricResult chrf;
};

/// Compares systems. `hypotheses` has the lines of each system, the baseline first. Throws
/// DataError if a system and a reference differ in their number of lines.
std::vector<SystemResult> compare_systems(const std::vector<std::vector<std::string>>& hypotheses,
                                          const References& references,
                                          const ComparisonOptions& options);
/// Compares systems with the given resamples; options.bootstrap.seed is not used.
std::vector<SystemResult> compare_systems(const std::vector<std::vector<std::string>>& hypotheses,
                                          const References& references,
                                          const ComparisonOptions& options,
                                          const Resampler& resample);

}  // namespace tfm
