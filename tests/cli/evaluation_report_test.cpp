#include "cli/evaluation_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace tfm {
namespace {

using testing::HasSubstr;

EvaluationReport made_up_report() {
  EvaluationReport report{
      .names = {"a.en"},
      .results = {SystemResult()},
      .metrics = {{Metric::bleu, "BLEU", "nrefs:1"}, {Metric::chrf, "chrF2", "nc:6"}}};
  auto& result = report.results.front();
  result.metrics[Metric::bleu].score = 33.056;
  result.bleu.precisions = {60, 40, 30, 20};
  result.bleu.brevity_penalty = 0.5;
  result.metrics[Metric::chrf].score = 55.125;
  return report;
}

void add_made_up_ter(EvaluationReport& report) {
  report.metrics.push_back({Metric::ter, "TER", "tok:tercom"});
  for (auto& result : report.results) {
    result.metrics[Metric::ter].score = 48.125;
    result.ter = {.edits = 77, .reference_length = 160.5};
  }
}

TEST(EvaluationReport, HasTheLinesOfSacreBleu) {
  auto report = made_up_report();
  EXPECT_THAT(evaluation_text(report), HasSubstr("BLEU|nrefs:1 = 33.06 60.0/40.0/30.0/20.0"));
  EXPECT_THAT(evaluation_text(report), HasSubstr("\nchrF2|nc:6 = 55.12\n"));
  report.has_confidence = true;
  report.results.front().metrics[Metric::bleu].confidence = {33.0, 1.5};
  report.alignment_error_rate = 0.25;
  EXPECT_THAT(evaluation_text(report), HasSubstr("= 33.06 (μ = 33.00 ± 1.50) 60.0/"));
  EXPECT_THAT(evaluation_text(report), HasSubstr("\nAER = 0.2500\n"));
}

TEST(EvaluationReport, HasAllDigitsAsJson) {
  auto report = made_up_report();
  report.alignment_error_rate = 0.25;
  const auto json = nlohmann::json::parse(evaluation_json(report));
  EXPECT_EQ(json["signatures"]["BLEU"], "nrefs:1");
  const auto& system = json["systems"][0];
  EXPECT_EQ(system["name"], "a.en");
  EXPECT_EQ(system["BLEU"]["score"], 33.056);
  EXPECT_EQ(system["BLEU"]["precisions"][3], 20);
  EXPECT_EQ(system["BLEU"]["brevity_penalty"], 0.5);
  EXPECT_EQ(system["chrF2"]["score"], 55.125);
  EXPECT_EQ(system["AER"], 0.25);
  EXPECT_FALSE(system["BLEU"].contains("mean"));
}

TEST(EvaluationReport, ComparesSystems) {
  auto report = made_up_report();
  report.names.emplace_back("b.en");
  report.results.push_back(report.results.front());
  report.results.back().metrics[Metric::bleu].p_value = 0.01;
  report.has_confidence = true;
  EXPECT_THAT(evaluation_text(report), HasSubstr("b.en"));
  const auto json = nlohmann::json::parse(evaluation_json(report));
  EXPECT_FALSE(json["systems"][0]["BLEU"].contains("p")) << "it is the baseline";
  EXPECT_EQ(json["systems"][1]["BLEU"]["p"], 0.01);
  EXPECT_EQ(json["systems"][1]["BLEU"]["margin"], 0);
}

TEST(EvaluationReport, HasTheLineOfSacreBleuForTer) {
  auto report = made_up_report();
  add_made_up_ter(report);
  EXPECT_THAT(evaluation_text(report), HasSubstr("\nTER|tok:tercom = 48.12\n"));
  const auto system = nlohmann::json::parse(evaluation_json(report))["systems"][0];
  EXPECT_EQ(system["TER"]["score"], 48.125);
  EXPECT_EQ(system["TER"]["edits"], 77);
  EXPECT_EQ(system["TER"]["reference_words"], 160.5);
}

TEST(EvaluationReport, ShowsTheMetricsInTheirOrderWhenSystemsAreCompared) {
  auto report = made_up_report();
  report.names.emplace_back("b.en");
  report.results.push_back(report.results.front());
  EXPECT_THAT(evaluation_text(report), testing::Not(HasSubstr("lower is better")));
  add_made_up_ter(report);
  std::ranges::reverse(report.metrics);
  const auto text = evaluation_text(report);
  EXPECT_THAT(text, testing::StartsWith("TER|tok:tercom\nchrF2|nc:6\nBLEU|nrefs:1\nsystem"));
  EXPECT_THAT(text, testing::ContainsRegex("\nsystem +TER .* chrF2 .* BLEU "));
  EXPECT_THAT(text, testing::ContainsRegex("\nb.en +48.12 .* 55.12 .* 33.06 "));
  EXPECT_THAT(text, testing::EndsWith("\nTER is a rate of errors: lower is better\n"));
}

}  // namespace
}  // namespace tfm
