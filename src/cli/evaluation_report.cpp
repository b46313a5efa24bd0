#include "evaluation_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace tfm {
namespace {

using Json = nlohmann::ordered_json;

std::string signed_name(const NamedMetric& metric) { return metric.name + "|" + metric.signature; }

/// Returns the score of the only system, as sacreBLEU prints it.
std::string score_text(const EvaluationReport& report, const NamedMetric& metric) {
  const auto& system = report.results.front();
  const auto& result = system.metrics.at(metric.metric);
  auto text = fmt::format("{} = {:.2f}", signed_name(metric), result.score);
  if (report.has_confidence) text += format_confidence(result.confidence);
  if (metric.metric == Metric::bleu) text += " " + system.bleu.format_details();
  return text;
}

/// Returns the counts behind a score. chrF has too many to show.
Json details_json(Metric metric, const SystemResult& system) {
  switch (metric) {
    case Metric::bleu:
      return {{"precisions", system.bleu.precisions},
              {"brevity_penalty", system.bleu.brevity_penalty},
              {"hypothesis_tokens", system.bleu.hypothesis_length},
              {"reference_tokens", system.bleu.reference_length}};
    case Metric::ter:
      return {{"edits", system.ter.edits}, {"reference_words", system.ter.reference_length}};
    case Metric::chrf:
      break;
  }
  return Json::object();
}

Json metric_json(const EvaluationReport& report, const MetricResult& metric) {
  Json json{{"score", metric.score}};
  if (report.has_confidence) {
    json["mean"] = metric.confidence.mean;
    json["margin"] = metric.confidence.margin;
  }
  if (metric.p_value) json["p"] = *metric.p_value;
  return json;
}

Json system_json(const EvaluationReport& report, std::size_t system) {
  const auto& result = report.results[system];
  Json json{{"name", report.names[system]}};
  for (const auto& [metric, name, signature] : report.metrics) {
    json[name] = metric_json(report, result.metrics.at(metric));
    json[name].update(details_json(metric, result));
  }
  return json;
}

}  // namespace

std::string evaluation_text(const EvaluationReport& report) {
  const bool is_comparison = report.results.size() > 1;
  std::string text;
  for (const auto& metric : report.metrics)
    text += (is_comparison ? signed_name(metric) : score_text(report, metric)) + "\n";
  if (is_comparison) text += comparison_table(report.names, report.metrics, report.results);
  if (report.alignment_error_rate)
    text += fmt::format("AER = {:.4f}\n", *report.alignment_error_rate);
  return text;
}

std::string evaluation_json(const EvaluationReport& report) {
  Json json{{"signatures", Json::object()}, {"systems", Json::array()}};
  for (const auto& metric : report.metrics) json["signatures"][metric.name] = metric.signature;
  for (std::size_t i = 0; i < report.results.size(); ++i)
    json["systems"].push_back(system_json(report, i));
  if (report.alignment_error_rate) json["systems"].front()["AER"] = *report.alignment_error_rate;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tfm
