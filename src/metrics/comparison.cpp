#include "tfm/metrics/comparison.h"

#include <fmt/format.h>

#include "line_pairs.h"

namespace tfm {
namespace {

using Lines = std::vector<std::string>;

/// What all metrics compare, and how.
struct ComparedTexts {
  const std::vector<Lines>& hypotheses;  ///< of each system
  const References& references;
  const BootstrapOptions& bootstrap;
  const Resampler& resample;
};

/// The functions that compute a metric: the counts of a line, and the score of the sum of counts.
template <class Counts, class Options>
struct MetricFunctions {
  Counts (*count)(std::string_view, const std::vector<std::string_view>&, const Options&);
  double (*score)(const Counts&);
};

template <class Counts, class Options>
std::vector<Counts> count_lines(const Lines& hypotheses, const ComparedTexts& texts,
                                const MetricFunctions<Counts, Options>& functions,
                                const Options& options) {
  std::vector<Counts> counts(hypotheses.size());
  const auto count_range = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      counts[i] = functions.count(hypotheses[i], references_of_line(texts.references, i), options);
  };
  parallel_for(hypotheses.size(), texts.bootstrap.threads, count_range);
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
  MetricComparison(double (*score)(const Counts&), const ComparedTexts& texts)
      : score_(score), options_(texts.bootstrap), resample_(texts.resample) {}

  /// `sum` is the sum of the counts of all lines.
  MetricResult next(const std::vector<Counts>& lines, const Counts& sum) {
    MetricResult result{.score = score_(sum), .confidence = {}, .p_value = std::nullopt};
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

/// Adds the metric to the results of all systems. Returns the sum of the counts for each system.
template <class Counts, class Options>
std::vector<Counts> compare_by(Metric metric, const ComparedTexts& texts,
                               const MetricFunctions<Counts, Options>& functions,
                               const Options& options, std::vector<SystemResult>& results) {
  MetricComparison<Counts> comparison(functions.score, texts);
  std::vector<Counts> sums;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto lines = count_lines(texts.hypotheses[i], texts, functions, options);
    sums.push_back(add_up(lines));
    results[i].metrics[metric] = comparison.next(lines, sums.back());
  }
  return sums;
}

void add_metric(Metric metric, const ComparedTexts& texts, const ComparisonOptions& options,
                std::vector<SystemResult>& results) {
  constexpr MetricFunctions<BleuCounts, BleuOptions> bleu{bleu_counts, bleu_value};
  constexpr MetricFunctions<ChrfCounts, ChrfOptions> chrf{chrf_counts, chrf_score};
  constexpr MetricFunctions<TerCounts, TerOptions> ter{ter_counts, ter_score};
  switch (metric) {
    case Metric::bleu: {
      const auto sums = compare_by(metric, texts, bleu, options.bleu, results);
      for (std::size_t i = 0; i < sums.size(); ++i) results[i].bleu = bleu_score(sums[i]);
      break;
    }
    case Metric::chrf:
      compare_by(metric, texts, chrf, options.chrf, results);
      break;
    case Metric::ter: {
      const auto sums = compare_by(metric, texts, ter, options.ter, results);
      for (std::size_t i = 0; i < sums.size(); ++i) results[i].ter = sums[i];
      break;
    }
  }
}

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
  for (const Lines& system : hypotheses)
    for (const Lines& text : references) require_pairs("comparison", system, text);
  const ComparedTexts texts{hypotheses, references, options.bootstrap, resample};
  std::vector<SystemResult> results(hypotheses.size());
  for (const Metric metric : options.metrics) add_metric(metric, texts, options, results);
  return results;
}

}  // namespace tfm
