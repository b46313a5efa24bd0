#include "comparison_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "tfm/core/format.h"

namespace tfm {
namespace {

/// Returns the score, the bootstrap mean with its margin, and the p-value in aligned columns:
/// "33.06  33.05 ± 1.02  0.0010 *". The score is padded to at least `name_width` characters.
std::string metric_columns(const MetricResult& metric, std::size_t name_width = 0) {
  std::string p = "baseline";
  if (metric.p_value)
    p = fmt::format("{:.4f}{}", *metric.p_value, *metric.p_value < significance_level ? " *" : "");
  return fmt::format("  {:>{}.2f}  {:>6.2f} ± {:>5.2f}  {:<8}", metric.score,
                     std::max<std::size_t>(6, name_width), metric.confidence.mean,
                     metric.confidence.margin, p);
}

std::string without_trailing_space(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::string comparison_table(const std::vector<std::string>& systems, const std::string& chrf_name,
                             const std::vector<SystemResult>& results) {
  std::vector<std::string> names;
  for (const auto& system : systems) names.push_back(escape_controls(system));
  std::size_t width = std::string("system").size();
  for (const auto& name : names) width = std::max(width, name.size());
  constexpr const char* headline = "{:<{}}  {:>6}  {:<14}  {:<8}  {:>6}  {:<14}  {:<8}";
  std::string table = without_trailing_space(fmt::format(
      headline, "system", width, "BLEU", "mean ± 95%", "p", chrf_name, "mean ± 95%", "p"));
  for (std::size_t i = 0; i < results.size(); ++i) {
    table += without_trailing_space(fmt::format("{:<{}}", names[i], width) +
                                    metric_columns(results[i].bleu) +
                                    metric_columns(results[i].chrf, chrf_name.size()));
  }
  return table + fmt::format("* p < {}: the difference from the baseline is significant\n",
                             significance_level);
}

std::string format_confidence(const ConfidenceInterval& confidence) {
  return fmt::format(" (μ = {:.2f} ± {:.2f})", confidence.mean, confidence.margin);
}

}  // namespace tfm
