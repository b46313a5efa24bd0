// Bootstrap resampling of a test set (Koehn 2004): how far would a score, or the difference between
// two systems, move with other sentences of the same kind? A resample is as many lines as the test
// set has, drawn with replacement; its score comes from the sum of its lines' counts. Interval and
// p-value are those of sacreBLEU 2.6's paired bootstrap; the random numbers are not.
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
  std::int64_t samples = 1000;  ///< 0: no resampling, scores alone
  std::uint64_t seed = 12345;
  std::int64_t threads = 0;  ///< 0: as many as there are cores
};

/// The lines of resample `number` of a test set of so many lines.
using Draw = std::function<std::vector<std::uint32_t>(std::size_t number)>;

/// Depends on (seed, number, lines) alone: all systems and metrics see the same resamples.
Draw bootstrap_resampler(std::size_t lines, std::uint64_t seed);

/// The score of each resample; score: of summed Counts.
template <class Counts, class Score>
std::vector<double> resampled_scores(const std::vector<Counts>& lines, const Draw& draw,
                                     const BootstrapOptions& options, const Score& score) {
  std::vector<double> scores(static_cast<std::size_t>(options.samples));
  parallel_for(scores.size(), options.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t number = begin; number < end; ++number) {
      Counts sum;
      for (const std::uint32_t line : draw(number)) sum += lines[line];
      scores[number] = score(sum);
    }
  });
  return scores;
}

/// Of the scores of resamples.
struct ConfidenceInterval {
  double mean = 0;
  /// half the distance between the scores that 2.5% are below and 2.5% above
  double margin = 0;
};

/// 0 where there is none.
ConfidenceInterval confidence_interval(std::vector<double> scores);

/// How often chance alone would bring two systems as far apart as they are. difference: of their
/// scores on the whole test set; system, baseline: their scores on the same resamples. (1 + how
/// many resamples' |difference| exceeds the mean |difference| by more than that) / (1 + resamples);
/// 1 for no difference at all, where sacreBLEU gives the least possible value.
double paired_p_value(std::span<const double> system, std::span<const double> baseline,
                      double difference);

/// A metric's signature with the resampling in it, where sacreBLEU puts it:
/// "nrefs:1|bs:1000|seed:12345|case:...".
std::string bootstrap_signature(const std::string& signature, const BootstrapOptions& options);

}  // namespace tfm
