#include "evaluation_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "comparison_table.h"

namespace tfm {
namespace {

using Json = nlohmann::ordered_json;

/// Returns the score of the only system, as sacreBLEU prints it.
std::string score_text(const EvaluationReport& report, const std::string& signature,
                       const MetricResult& metric) {
  return fmt::format("{} = {:.2f}{}", signature, metric.score,
                     report.has_confidence ? format_confidence(metric.confidence) : "");
}

std::string signed_name(const std::string& name, const std::string& signature) {
  return name + "|" + signature;
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
  Json bleu = metric_json(report, result.bleu);
  bleu["precisions"] = result.bleu_details.precisions;
  bleu["brevity_penalty"] = result.bleu_details.brevity_penalty;
  bleu["hypothesis_tokens"] = result.bleu_details.hypothesis_length;
  bleu["reference_tokens"] = result.bleu_details.reference_length;
  return {{"name", report.names[system]},
          {"BLEU", std::move(bleu)},
          {report.chrf_name, metric_json(report, result.chrf)}};
}

}  // namespace

std::string evaluation_text(const EvaluationReport& report) {
  const auto bleu = signed_name("BLEU", report.bleu_signature);
  const auto chrf = signed_name(report.chrf_name, report.chrf_signature);
  if (report.results.size() > 1)
    return bleu + "\n" + chrf + "\n" +
           comparison_table(report.names, report.chrf_name, report.results);
  const auto& result = report.results.front();
  auto text =
      fmt::format("{} {}\n{}\n", score_text(report, bleu, result.bleu),
                  result.bleu_details.format_details(), score_text(report, chrf, result.chrf));
  if (report.alignment_error_rate)
    text += fmt::format("AER = {:.4f}\n", *report.alignment_error_rate);
  return text;
}

std::string evaluation_json(const EvaluationReport& report) {
  Json json{
      {"signatures", {{"BLEU", report.bleu_signature}, {report.chrf_name, report.chrf_signature}}},
      {"systems", Json::array()}};
  for (std::size_t i = 0; i < report.results.size(); ++i)
    json["systems"].push_back(system_json(report, i));
  if (report.alignment_error_rate) json["systems"].front()["AER"] = *report.alignment_error_rate;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tfm
