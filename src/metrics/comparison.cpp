#include "tfm/metrics/comparison.h"

#include <fmt/format.h>

#include "line_pairs.h"
#include "tfm/metrics/chrf.h"

namespace tfm {
namespace {

using Lines = std::vector<std::string>;

struct LineCounts {
  std::vector<BleuCounts> bleu;
  std::vector<ChrfCounts> chrf;
};

LineCounts count_lines(const Lines& hypotheses, const Lines& references, std::int64_t threads) {
  require_pairs("comparison", hypotheses, references);
  LineCounts counts{std::vector<BleuCounts>(references.size()),
                    std::vector<ChrfCounts>(references.size())};
  parallel_for(references.size(), threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      counts.bleu[i] = bleu_counts(hypotheses[i], references[i]);
      counts.chrf[i] = chrf_counts(hypotheses[i], references[i]);
    }
  });
  return counts;
}

template <class Counts>
Counts sum_of(const std::vector<Counts>& lines) {
  Counts sum;
  for (const Counts& line : lines) sum += line;
  return sum;
}

double bleu_of(const BleuCounts& counts) { return bleu_score(counts).score; }

/// A metric of the systems, one after the other.
template <class Counts>
class MetricComparison {
 public:
  MetricComparison(double (*score)(const Counts&), const BootstrapOptions& options,
                   const Draw& draw)
      : score_(score), options_(options), draw_(draw) {}

  MetricResult next(const std::vector<Counts>& lines) {
    MetricResult result{.score = score_(sum_of(lines)), .confidence = {}, .p_value = std::nullopt};
    auto scores = resampled_scores(lines, draw_, options_, score_);
    if (baseline_) {
      result.p_value = paired_p_value(scores, baseline_scores_, result.score - *baseline_);
    } else {
      baseline_ = result.score;
      baseline_scores_ = scores;
    }
    result.confidence = confidence_interval(std::move(scores));
    return result;
  }

 private:
  double (*score_)(const Counts&);
  const BootstrapOptions& options_;
  const Draw& draw_;
  std::optional<double> baseline_;
  std::vector<double> baseline_scores_;
};

}  // namespace

std::vector<SystemResult> compare_systems(const std::vector<Lines>& hypotheses,
                                          const Lines& references,
                                          const BootstrapOptions& options) {
  return compare_systems(hypotheses, references, options,
                         bootstrap_resampler(references.size(), options.seed));
}

std::vector<SystemResult> compare_systems(const std::vector<Lines>& hypotheses,
                                          const Lines& references, const BootstrapOptions& options,
                                          const Draw& draw) {
  MetricComparison<BleuCounts> bleu(bleu_of, options, draw);
  MetricComparison<ChrfCounts> chrf(chrf_score, options, draw);
  std::vector<SystemResult> results;
  for (const Lines& system : hypotheses) {
    const auto counts = count_lines(system, references, options.threads);
    results.push_back(
        {bleu_score(sum_of(counts.bleu)), bleu.next(counts.bleu), chrf.next(counts.chrf)});
  }
  return results;
}

}  // namespace tfm
