// Systems that translated the same test set, compared by BLEU and chrF2 with paired bootstrap
// resampling (bootstrap.h). The first is the baseline.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tfm/metrics/bleu.h"
#include "tfm/metrics/bootstrap.h"

namespace tfm {

/// A metric of one system.
struct MetricResult {
  double score = 0;               ///< of the whole test set
  ConfidenceInterval confidence;  ///< of its resamples
  std::optional<double> p_value;  ///< against the baseline, which itself has none
};

struct SystemResult {
  BleuScore bleu_details;
  MetricResult bleu;
  MetricResult chrf;
};

/// hypotheses: of each system, the baseline's first. Throws DataError where a system has not as
/// many lines as there are references.
std::vector<SystemResult> compare_systems(const std::vector<std::vector<std::string>>& hypotheses,
                                          const std::vector<std::string>& references,
                                          const BootstrapOptions& options);
/// With resamples that are given; options.seed means nothing then.
std::vector<SystemResult> compare_systems(const std::vector<std::vector<std::string>>& hypotheses,
                                          const std::vector<std::string>& references,
                                          const BootstrapOptions& options, const Draw& draw);

}  // namespace tfm
