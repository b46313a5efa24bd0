#include "comparison_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "tfm/core/format.h"

namespace tfm {
namespace {

/// Returns the width of the column of scores.
std::size_t score_width(const NamedMetric& metric) {
  return std::max<std::size_t>(6, metric.name.size());
}

std::string metric_headline(const NamedMetric& metric) {
  return fmt::format("  {:>{}}  {:<14}  {:<8}", metric.name, score_width(metric), "mean ± 95%",
                     "p");
}

/// Returns the score, the bootstrap mean with its margin, and the p-value in aligned columns:
/// "33.06  33.05 ± 1.02  0.0010 *".
std::string metric_columns(const NamedMetric& metric, const MetricResult& result) {
  std::string p = "baseline";
  if (result.p_value)
    p = fmt::format("{:.4f}{}", *result.p_value, *result.p_value < significance_level ? " *" : "");
  return fmt::format("  {:>{}.2f}  {:>6.2f} ± {:>5.2f}  {:<8}", result.score, score_width(metric),
                     result.confidence.mean, result.confidence.margin, p);
}

std::string without_trailing_space(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::string comparison_table(const std::vector<std::string>& systems,
                             const std::vector<NamedMetric>& metrics,
                             const std::vector<SystemResult>& results) {
  std::vector<std::string> names;
  for (const auto& system : systems) names.push_back(escape_controls(system));
  std::size_t width = std::string("system").size();
  for (const auto& name : names) width = std::max(width, name.size());
  std::string headline = fmt::format("{:<{}}", "system", width);
  for (const auto& metric : metrics) headline += metric_headline(metric);
  std::string table = without_trailing_space(headline);
  for (std::size_t i = 0; i < results.size(); ++i) {
    std::string line = fmt::format("{:<{}}", names[i], width);
    for (const auto& metric : metrics)
      line += metric_columns(metric, results[i].metrics.at(metric.metric));
    table += without_trailing_space(line);
  }
  table += fmt::format("* p < {}: the difference from the baseline is significant\n",
                       significance_level);
  const bool has_ter =
      std::ranges::find(metrics, Metric::ter, &NamedMetric::metric) != metrics.end();
  return table + (has_ter ? "TER is a rate of errors: lower is better\n" : "");
}

std::string format_confidence(const ConfidenceInterval& confidence) {
  return fmt::format(" (μ = {:.2f} ± {:.2f})", confidence.mean, confidence.margin);
}

}  // namespace tfm
