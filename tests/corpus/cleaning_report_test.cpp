#include "tfm/corpus/cleaning_report.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace tfm {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Counts of 2000 pairs, of which the first rule dropped 1.
CleaningCounts made_up_counts() {
  CleaningCounts counts{.pairs = 2000, .kept = 1999, .dropped = {}, .examples = {}};
  counts.dropped.resize(rules().size());
  counts.examples.resize(rules().size());
  counts.dropped[0] = 1;
  counts.examples[0] = {{fmt::format("a\x1b \xFF{}", std::string(200, 'x')), "", 17, true}};
  return counts;
}

TEST(CleaningReport, HasARowForEachRule) {
  const auto text = cleaning_report(default_rule_values(), made_up_counts());
  EXPECT_THAT(text, HasSubstr("2,000 pairs: 1,999 kept (99.95%), 1 dropped\n"));
  for (const Rule& rule : rules()) EXPECT_THAT(text, HasSubstr(std::string("\n") + rule.name));
  EXPECT_THAT(text, HasSubstr("\nmalformed                   on             1    0.05%\n"));
  EXPECT_THAT(text, HasSubstr("\nmin_words                  off\n"));
}

TEST(CleaningReport, ShortensExamplesAndEscapesControls) {
  const auto text = cleaning_report(default_rule_values(), made_up_counts());
  EXPECT_THAT(text, HasSubstr("  line 17\n    a\\x1b \xEF\xBF\xBDxxx"));
  EXPECT_THAT(text, HasSubstr("xxx...\n"));
  EXPECT_THAT(text, Not(HasSubstr(std::string(100, 'x'))));
}

TEST(CleaningReport, ShowsWhatTheRulesOfModelsMeasured) {
  CleaningCounts counts = made_up_counts();
  counts.examples[0] = {{"a", "b", 17, false, 0.0123456}, {"c", "d", 18, false}};
  const auto values = default_rule_values();
  EXPECT_THAT(cleaning_report(values, counts), HasSubstr("  line 17: 0.01235\n    a\n"));
  EXPECT_THAT(cleaning_report(values, counts), HasSubstr("  line 18\n    c\n"));
  const auto json = nlohmann::json::parse(cleaning_report_json(values, counts));
  EXPECT_EQ(json["rules"][0]["examples"][0]["score"], 0.0123456);
  EXPECT_FALSE(json["rules"][0]["examples"][1].contains("score"));
  EXPECT_THAT(cleaning_report_page(values, counts, {}), HasSubstr(R"("score":0.0123456)"));
}

TEST(CleaningReport, DividesByNothing) {
  CleaningCounts counts = made_up_counts();
  counts.pairs = counts.kept = 0;
  EXPECT_THAT(cleaning_report(default_rule_values(), counts), HasSubstr("0 kept (0.00%)"));
}

TEST(CleaningReport, HasThreeExamplesOfTheWholeRangeAndThePageHasAll) {
  CleaningCounts counts = made_up_counts();
  counts.examples[0].clear();
  for (int i = 1; i <= 6; ++i)
    counts.examples[0].push_back({fmt::format("example number {}", i), "", i, true});
  const auto values = default_rule_values();
  const auto json = nlohmann::json::parse(cleaning_report_json(values, counts));
  EXPECT_EQ(json["rules"][0]["examples"].size(), 3U);
  for (const int i : {1, 3, 5})
    EXPECT_THAT(cleaning_report(values, counts), HasSubstr(fmt::format("number {}", i)));
  EXPECT_THAT(cleaning_report_page(values, counts, {}), HasSubstr("number 6"));
}

TEST(CleaningReportPage, HasValuesAndCountsAndEscapesAndShortensExamples) {
  CleaningCounts counts = made_up_counts();
  counts.examples[0].push_back({std::string(5000, 'y'), "</script>", 18, true});
  const auto page = cleaning_report_page(default_rule_values(), counts,
                                         {.name = "raw.de",
                                          .source_language = "de",
                                          .target_language = "en",
                                          .facts = {{"Written", "clean.de"}},
                                          .time = "2026-01-02"});
  for (const char* part : {R"("name":"raw.de")", R"("pairs":2000)", R"("kept":1999)",
                           R"(["Written","clean.de"])", R"("source":"a\\x1b )", "2026-01-02"})
    EXPECT_THAT(page, HasSubstr(part));
  EXPECT_THAT(page, HasSubstr(fmt::format("{}...", std::string(2000, 'y'))));
  EXPECT_THAT(page, Not(HasSubstr(std::string(2001, 'y'))));
  EXPECT_THAT(page, HasSubstr(R"("target":"\u003c/script>")"));
}

TEST(CleaningReportJson, HasValuesCountsAndWholeExamples) {
  const auto json =
      nlohmann::json::parse(cleaning_report_json(default_rule_values(), made_up_counts()));
  EXPECT_EQ(json["pairs"], 2000);
  EXPECT_EQ(json["kept"], 1999);
  EXPECT_EQ(json["dropped"], 1);
  ASSERT_EQ(json["rules"].size(), rules().size());
  const auto& first = json["rules"][0];
  EXPECT_EQ(first["name"], "malformed");
  EXPECT_EQ(first["dropped"], 1);
  EXPECT_EQ(first["value"], true);
  EXPECT_EQ(first["examples"][0]["line"], 17);
  EXPECT_EQ(first["examples"][0]["source"].get<std::string>().size(), 206U);
  for (const auto& rule : json["rules"]) {
    if (rule["name"] == "max_words") {
      EXPECT_EQ(rule["value"], 150);
    }
    if (rule["name"] == "min_words") {
      EXPECT_TRUE(rule["value"].is_null());
    }
  }
}

}  // namespace
}  // namespace tfm
