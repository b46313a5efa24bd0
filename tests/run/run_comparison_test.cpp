#include "tfm/run/run_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::Pair;

RunPageData made_up_run(const std::string& name, double bleu) {
  RunPageData run;
  run.name = name;
  run.state = "finished: max_steps 10 reached";
  run.results = {{"Step", "10"}, {"BLEU", std::to_string(static_cast<int>(bleu))}};
  run.charts = {
      {"Loss", "Nats.", {{"training", {{10, 3}}}, {"validation", {{10, bleu / 10}}}}},
      {"BLEU", "Percent.", {{"validation", {{10, bleu}}}}},
  };
  return run;
}

std::vector<std::pair<std::string, std::vector<std::string>>> rows(const RunTable& table) {
  std::vector<std::pair<std::string, std::vector<std::string>>> found;
  for (const auto& row : table.rows) found.emplace_back(row.name, row.values);
  return found;
}

TEST(CompareRuns, DrawsOneCurvePerRunInEachChart) {
  const auto page = compare_runs({made_up_run("small", 20), made_up_run("large", 30)});
  EXPECT_EQ(page.name, "small, large");
  ASSERT_EQ(page.charts.size(), 3u);
  EXPECT_EQ(page.charts[0].title, "Loss: training");
  EXPECT_EQ(page.charts[1].title, "Loss: validation");
  EXPECT_EQ(page.charts[2].title, "BLEU") << "a chart with one kind of curve keeps its title";
  EXPECT_EQ(page.charts[2].hint, "Percent.");
  ASSERT_EQ(page.charts[2].curves.size(), 2u);
  EXPECT_EQ(page.charts[2].curves[0].name, "small");
  EXPECT_EQ(page.charts[2].curves[1].name, "large");
  EXPECT_THAT(page.charts[2].curves[1].points, ElementsAre(Pair(10, 30)));
}

TEST(CompareRuns, SummaryHasOneColumnPerRun) {
  auto small = made_up_run("small", 20), large = made_up_run("large", 30);
  large.facts = {{"Device", "CPU"}};
  const auto page = compare_runs({small, large});
  ASSERT_EQ(page.tables.size(), 1u) << "no setting differs";
  EXPECT_THAT(page.tables[0].columns, ElementsAre("small", "large"));
  EXPECT_THAT(
      rows(page.tables[0]),
      ElementsAre(Pair("State", ElementsAre(small.state, small.state)),
                  Pair("Step", ElementsAre("10", "10")), Pair("BLEU", ElementsAre("20", "30")),
                  Pair("Device", ElementsAre("–", "CPU"))));
}

TEST(CompareRuns, FillsInTheDefaultsOfSettingsThatDiffer) {
  auto small = made_up_run("small", 20), large = made_up_run("large", 30);
  small.settings = {{"model.heads", "2"}, {"training.seed", "7"}};
  large.settings = {{"training.seed", "7"}, {"model.hidden_size", "64"}};
  const auto tables = compare_runs({small, large}).tables;
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_THAT(rows(tables[1]), ElementsAre(Pair("model.heads", ElementsAre("2", "8")),
                                           Pair("model.hidden_size", ElementsAre("512", "64"))));
}

}  // namespace
}  // namespace tfm
