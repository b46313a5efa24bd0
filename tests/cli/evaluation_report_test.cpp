#include "cli/evaluation_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace tfm {
namespace {

using testing::HasSubstr;

EvaluationReport made_up_report() {
  EvaluationReport report{.names = {"a.en"},
                          .results = {SystemResult()},
                          .chrf_name = "chrF2",
                          .bleu_signature = "nrefs:1",
                          .chrf_signature = "nc:6"};
  auto& result = report.results.front();
  result.bleu.score = 33.056;
  result.bleu_details.precisions = {60, 40, 30, 20};
  result.bleu_details.brevity_penalty = 0.5;
  result.chrf.score = 55.125;
  return report;
}

TEST(EvaluationReport, HasTheLinesOfSacreBleu) {
  auto report = made_up_report();
  EXPECT_THAT(evaluation_text(report), HasSubstr("BLEU|nrefs:1 = 33.06 60.0/40.0/30.0/20.0"));
  EXPECT_THAT(evaluation_text(report), HasSubstr("\nchrF2|nc:6 = 55.12\n"));
  report.has_confidence = true;
  report.results.front().bleu.confidence = {33.0, 1.5};
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
  report.results.back().bleu.p_value = 0.01;
  report.has_confidence = true;
  EXPECT_THAT(evaluation_text(report), HasSubstr("b.en"));
  const auto json = nlohmann::json::parse(evaluation_json(report));
  EXPECT_FALSE(json["systems"][0]["BLEU"].contains("p")) << "it is the baseline";
  EXPECT_EQ(json["systems"][1]["BLEU"]["p"], 0.01);
  EXPECT_EQ(json["systems"][1]["BLEU"]["margin"], 0);
}

}  // namespace
}  // namespace tfm
