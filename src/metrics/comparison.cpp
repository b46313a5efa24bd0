#include "tfm/metrics/comparison.h"

#include <fmt/format.h>

#include "line_pairs.h"

namespace tfm {
namespace {

using Lines = std::vector<std::string>;

struct LineCounts {
  std::vector<BleuCounts> bleu;
  std::vector<ChrfCounts> chrf;
};

LineCounts count_lines(const Lines& hypotheses, const References& references,
                       const ComparisonOptions& options) {
  for (const Lines& text : references) require_pairs("comparison", hypotheses, text);
  LineCounts counts{std::vector<BleuCounts>(hypotheses.size()),
                    std::vector<ChrfCounts>(hypotheses.size())};
  const auto count = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto lines = references_of_line(references, i);
      counts.bleu[i] = bleu_counts(hypotheses[i], lines, options.bleu);
      counts.chrf[i] = chrf_counts(hypotheses[i], lines, options.chrf);
    }
  };
  parallel_for(hypotheses.size(), options.bootstrap.threads, count);
  return counts;
}

template <class Counts>
Counts add_up(const std::vector<Counts>& lines) {
  Counts sum;
  for (const Counts& line : lines) sum += line;
  return sum;
}

double bleu_value(const BleuCounts& counts) { return bleu_score(counts).score; }

/// Computes one metric for all systems. next() must be called for each system, first for the
/// baseline.
template <class Counts>
class MetricComparison {
 public:
  MetricComparison(double (*score)(const Counts&), const BootstrapOptions& options,
                   const Resampler& resample)
      : score_(score), options_(options), resample_(resample) {}

  MetricResult next(const std::vector<Counts>& lines) {
    MetricResult result{.score = score_(add_up(lines)), .confidence = {}, .p_value = std::nullopt};
    auto scores = resampled_scores(lines, resample_, options_, score_);
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
  const Resampler& resample_;
  std::optional<double> baseline_;
  std::vector<double> baseline_scores_;
};

}  // namespace

std::vector<SystemResult> compare_systems(const std::vector<Lines>& hypotheses,
                                          const References& references,
                                          const ComparisonOptions& options) {
  return compare_systems(hypotheses, references, options,
                         bootstrap_resampler(references.front().size(), options.bootstrap.seed));
}

std::vector<SystemResult> compare_systems(const std::vector<Lines>& hypotheses,
                                          const References& references,
                                          const ComparisonOptions& options,
                                          const Resampler& resample) {
  MetricComparison<BleuCounts> bleu(bleu_value, options.bootstrap, resample);
  MetricComparison<ChrfCounts> chrf(chrf_score, options.bootstrap, resample);
  std::vector<SystemResult> results;
  for (const Lines& system : hypotheses) {
    const auto counts = count_lines(system, references, options);
    results.push_back(
        {bleu_score(add_up(counts.bleu)), bleu.next(counts.bleu), chrf.next(counts.chrf)});
  }
  return results;
}

}  // namespace tfm
