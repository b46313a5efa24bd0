// Compares systems on the same test set by BLEU, chrF and TER, with paired bootstrap resampling
// (bootstrap.h). The first system is the baseline.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tfm/metrics/bleu.h"
#include "tfm/metrics/bootstrap.h"
#include "tfm/metrics/chrf.h"
#include "tfm/metrics/references.h"
#include "tfm/metrics/ter.h"

namespace tfm {

enum class Metric { bleu, chrf, ter };

struct ComparisonOptions {
  std::vector<Metric> metrics{Metric::bleu, Metric::chrf};  ///< the metrics to compute
  BleuOptions bleu{};
  ChrfOptions chrf{};
  TerOptions ter{};
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
  std::map<Metric, MetricResult> metrics;  ///< the results of ComparisonOptions::metrics
  BleuScore bleu;                          ///< zeros if BLEU was not computed
  TerCounts ter;                           ///< zeros if TER was not computed
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
