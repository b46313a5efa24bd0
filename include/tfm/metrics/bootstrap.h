// Bootstrap resampling of a test set (Koehn 2004) estimates how much a score, or the difference of
// two systems, would vary with other sentences of the same kind. A resample has as many lines as
// the test set, sampled with replacement. The score of a resample is computed from the sum of its
// lines' counts. The interval and the p-value are computed as in sacreBLEU 2.6's paired bootstrap,
// but the random numbers differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tfm/core/parallel.h"

namespace tfm {

struct BootstrapOptions {
  std::int64_t samples = 1000;  ///< number of resamples; 0 disables resampling
  std::uint64_t seed = 12345;
  std::int64_t threads = 0;  ///< number of threads; 0 means one per core
};

/// A function that returns the line indices of resample `number`.
using Resampler = std::function<std::vector<std::uint32_t>(std::size_t number)>;

/// Creates the resampler of a test set with this number of lines. A resample depends only on (seed,
/// number, lines), so all systems and metrics use the same resamples.
Resampler bootstrap_resampler(std::size_t lines, std::uint64_t seed);

/// Returns the score of each resample. score(sum) computes the score from the sum of the Counts of
/// the lines in a resample.
template <class Counts, class Score>
std::vector<double> resampled_scores(const std::vector<Counts>& lines, const Resampler& resample,
                                     const BootstrapOptions& options, const Score& score) {
  std::vector<double> scores(static_cast<std::size_t>(options.samples));
  parallel_for(scores.size(), options.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t number = begin; number < end; ++number) {
      Counts sum;
      for (const std::uint32_t line : resample(number)) sum += lines[line];
      scores[number] = score(sum);
    }
  });
  return scores;
}

/// The mean and confidence interval of the scores of resamples.
struct ConfidenceInterval {
  double mean = 0;
  /// half the width of the interval, which excludes the lowest 2.5% and the highest 2.5% of scores
  double margin = 0;
};

/// Returns the mean and the confidence interval of the scores; zeros if `scores` is empty.
ConfidenceInterval confidence_interval(std::vector<double> scores);

/// Returns the p-value of a paired bootstrap test: the probability that two equally good systems
/// differ by at least |`difference`| by chance. `difference` is the difference of the systems'
/// scores on the complete test set; `system` and `baseline` are their scores on the same resamples.
/// The p-value is (1 + n) / (1 + number of resamples), where n is the number of resamples whose
/// |difference| exceeds the mean |difference| by more than |`difference`|. If `difference` is 0,
/// the p-value is 1, whereas sacreBLEU returns the smallest possible value.
double paired_p_value(std::span<const double> system, std::span<const double> baseline,
                      double difference);

/// Inserts the resampling options into a metric's signature, at the same position as in sacreBLEU:
/// "nrefs:1|bs:1000|seed:12345|case:...".
std::string bootstrap_signature(const std::string& signature, const BootstrapOptions& options);

}  // namespace tfm
