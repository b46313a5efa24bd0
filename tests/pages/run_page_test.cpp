#include "tfm/pages/run_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <regex>
#include <set>

#include "browser.h"

namespace tfm {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// Returns a run with two charts, one of which has two curves and a gap, and two samples, one of
/// which contains markup.
RunPageData made_up_run() {
  RunPageData data;
  data.name = "made </up>";
  data.state = "finished: max_steps 40 reached";
  data.results = {{"Step", "40"}, {"BLEU", "41.20"}};
  data.facts = {{"Device", "CPU"}};
  data.charts = {
      {"Loss",
       "Nats.",
       {{"training",
         {{10, 5.5}, {20, std::numeric_limits<double>::quiet_NaN()}, {30, 3.25}, {40, 2.0 / 3}}},
        {"validation", {{20, 4}, {40, 3}}}}},
      {"Learning rate", "", {{"rate", {{10, 1e-5}, {40, 4e-5}}}}}};
  data.samples = {{"ein Bier", "a beer", {{10, "a"}, {20, "a"}, {30, "beer"}, {40, "a beer"}}},
                  {"</script><b>", "{{run}}", {{40, "<!-- \xff"}}}};
  data.best_step = 30;
  data.settings = {{"model.heads", "4"}};
  data.config = "model:\n  heads: 4  # <x>\n";
  data.generated = "2026-01-02 03:04 UTC";
  return data;
}

TEST(RunPage, TextCannotEndTheScriptElement) {
  const std::string html = run_page_html(made_up_run());
  for (const char* part : {"</script><b>", "</up>", "<x>", "<!--"})
    EXPECT_THAT(html, Not(HasSubstr(part)));
  EXPECT_THAT(html, HasSubstr("{{run}}")) << "inserted text is not searched for placeholders";
}

TEST(RunPage, LoadsNoOtherFiles) {
  const std::string html = run_page_html(made_up_run());
  EXPECT_THAT(html, testing::ContainsRegex(
                        "Content-Security-Policy\"[[:space:]]+content=\"default-src 'none';"));
  for (const char* part :
       {" src=", "<link", "@import", "url(", "fetch(", "import ", "XMLHttpRequest", "https:"})
    EXPECT_THAT(html, Not(HasSubstr(part)));
  EXPECT_THAT(std::regex_replace(html, std::regex("\"http://www.w3.org/2000/svg\""), ""),
              Not(HasSubstr("http:")));
}

class RunPageInBrowser : public testing::Test {
 protected:
  void SetUp() override {
    if (find_browser().empty())
      GTEST_SKIP()
          << "Chromium is not on PATH (chromium, chromium-browser, google-chrome): the page "
             "was not opened";
  }

  static json ask(const RunPageData& data, const std::string& probe) {
    const std::string helpers = R"js(
      const texts = (selector, place = document) =>
        [...place.querySelectorAll(selector)].map((element) => element.textContent);
      const charts = [...document.querySelectorAll(".chart")];
    )js";
    const json whole = ask_browser(run_page_html(data), "", helpers + probe);
    EXPECT_EQ(whole["ready"], "true");
    EXPECT_TRUE(whole["error"].is_null()) << whole["error"];
    return whole["answer"];
  }
};

TEST_F(RunPageInBrowser, ShowsStateFactsSettingsAndSamples) {
  const json answer = ask(made_up_run(), R"js(
    return { name: document.querySelector("h1").textContent, facts: texts("dd"),
             title: document.title, state: texts("header .state > *"),
             settings: texts("#settings td, #settings th"), footer: texts("footer")[0],
             folded: document.querySelector("#config").closest("details").open === false,
             config: document.querySelector("#config").textContent,
             captions: texts(".sample .caption"), lines: texts(".sample bdi"),
             markup: document.querySelectorAll(".sample b, x").length,
             loaded: performance.getEntriesByType("resource").length };)js");
  EXPECT_EQ(answer["name"], "made </up>");
  EXPECT_EQ(answer["title"], "made </up> – tfm");
  EXPECT_EQ(answer["state"], json({"finished", "max_steps 40 reached"}));
  EXPECT_EQ(answer["facts"], json({"40", "41.20", "CPU"}));
  EXPECT_EQ(answer["settings"], json({"model.heads", "4"}));
  EXPECT_EQ(answer["folded"], true);
  EXPECT_THAT(answer["footer"].get<std::string>(), HasSubstr("2026-01-02 03:04 UTC"));
  EXPECT_EQ(answer["config"], "model:\n  heads: 4  # <x>\n");
  EXPECT_EQ(answer["captions"], json({"source", "reference", "step 40", "step 30", "step 10–20",
                                      "source", "reference", "step 40"}));
  EXPECT_EQ(answer["lines"], json({"ein Bier", "a beer", "a beer", "beer", "a", "</script><b>",
                                   "{{run}}", "<!-- \uFFFD"}));
  EXPECT_EQ(answer["markup"], 0);
  EXPECT_EQ(answer["loaded"], 0);
}

TEST_F(RunPageInBrowser, DrawsCurvesAtTheirValues) {
  const json answer = ask(made_up_run(), R"js(
    return charts.map((chart) => ({
      paths: [...chart.querySelectorAll(".curve")].map((path) => path.getAttribute("d")),
      dots: chart.querySelectorAll("circle").length, best: chart.querySelectorAll(".best").length,
      labels: texts("text", chart) }));)js");
  ASSERT_EQ(answer.size(), 2u);
  ASSERT_EQ(answer[0]["paths"].size(), 2u);
  EXPECT_THAT(answer[0]["paths"][0].get<std::string>(),
              testing::MatchesRegex("M[0-9.]+ [0-9.]+M[0-9.]+ [0-9.]+L[0-9.]+ [0-9.]+"))
      << "a gap at step 20";
  EXPECT_EQ(answer[0]["dots"], 3 + 2);
  EXPECT_EQ(answer[0]["best"], 1);
  EXPECT_THAT(answer[0]["labels"], testing::Contains(json("4")));
  EXPECT_THAT(answer[1]["labels"], testing::Contains(json("4e-5")));
  // The validation curve goes from (20, 4) to (40, 3), to the right and down. In SVG, y grows
  // downwards.
  double x[2], y[2];
  ASSERT_EQ(std::sscanf(answer[0]["paths"][1].get<std::string>().c_str(), "M%lf %lfL%lf %lf", &x[0],
                        &y[0], &x[1], &y[1]),
            4);
  EXPECT_LT(x[0], x[1]);
  EXPECT_LT(y[0], y[1]);
}

TEST_F(RunPageInBrowser, ChartsShareAnAxisOfStepsThatBeginsAtZero) {
  auto data = made_up_run();
  data.charts.push_back({"BLEU", "", {{"validation", {{20, 97.0738}}}}});
  data.charts.push_back({"Speed", "", {{"tokens/s", {{10, 51883}, {20, 51884}}}}});
  const json answer = ask(data, R"js(
    return charts.map((chart) => ({
      steps: texts(".step", chart), values: texts(".value", chart),
      places: [...chart.querySelectorAll(".step")].map((label) => label.getAttribute("x")),
      name: texts(".axis-name", chart) }));)js");
  ASSERT_EQ(answer.size(), 4u);
  for (const auto& chart : answer) {
    EXPECT_EQ(chart["steps"].front(), "0");
    EXPECT_EQ(chart["steps"].back(), "40");
    EXPECT_EQ(chart["places"], answer[0]["places"]) << "all charts have the same axis";
    EXPECT_EQ(chart["name"], json({"step"}));
    EXPECT_GE(std::set<json>(chart["values"].begin(), chart["values"].end()).size(), 2u);
  }
}

/// At step 20, the training curve has a gap and the validation curve has a value.
TEST_F(RunPageInBrowser, ShowsTheValueAtOrBeforeThePointer) {
  const json answer = ask(made_up_run(), R"js(
    const legendAt = (step, chart) => {
      const svg = charts[chart].querySelector("svg").getBoundingClientRect();
      const ticks = [...charts[chart].querySelectorAll(".tick")];
      const [zero, end] = [ticks[0], ticks.at(-1)].map((tick) => Number(tick.getAttribute("x1")));
      charts[chart].dispatchEvent(new PointerEvent("pointermove", {
        clientX: svg.left + zero + (end - zero) * step / 40, clientY: svg.top + 20,
        bubbles: true }));
      return document.querySelectorAll(".legend")[chart].textContent;
    };
    return [legendAt(5, 0), legendAt(25, 0), legendAt(39, 0), legendAt(39, 1)];)js");
  EXPECT_EQ(answer[0], "step 5training –validation –");
  EXPECT_EQ(answer[1], "step 25training – (step 20)validation 4 (step 20)");
  EXPECT_EQ(answer[2], "step 39training 3.25 (step 30)validation 4 (step 20)");
  EXPECT_EQ(answer[3], "step 39rate 1e-5 (step 10)") << "the value at step 40 is in the future";
}

TEST_F(RunPageInBrowser, RoundsTheNumbersOfAChartInItsTable) {
  const json answer = ask(made_up_run(), R"js(
    const numbers = document.querySelector(".card details");
    numbers.open = true;
    await new Promise((done) => setTimeout(done, 100));
    return texts("td", numbers);)js");
  EXPECT_EQ(answer, json({"5.5", "", "", "4", "3.25", "", "0.66667", "3"}));
}

TEST_F(RunPageInBrowser, SavesThePointsOfAllCurves) {
  auto data = made_up_run();
  data.charts[1].title = "Rate, \"learning\"";
  const json answer = ask(data, R"js(
    const files = [];
    window.Blob = class { constructor(parts) { files.push(parts.join("")); } };
    URL.createObjectURL = () => "#";
    const names = [];
    HTMLAnchorElement.prototype.click = function () { names.push(this.download); };
    for (const id of ["save-csv", "save-json"]) document.getElementById(id).click();
    return { names, csv: files[0], json: JSON.parse(files[1]) };)js");
  EXPECT_EQ(answer["names"], json({"made </up>.csv", "made </up>.json"}));
  EXPECT_EQ(answer["csv"],
            "step,\"Loss, training\",\"Loss, validation\",\"Rate, \"\"learning\"\"\"\n"
            "10,5.5,,0.00001\n20,,4,\n30,3.25,,\n40,0.6666666666666666,3,0.00004\n");
  EXPECT_EQ(answer["json"]["charts"][0]["curves"][1]["points"], json({{20, 4}, {40, 3}}));
}

TEST_F(RunPageInBrowser, ShowsTheValuesOfTheSelectedStep) {
  const json answer = ask(made_up_run(), R"js(
    const legend = () => document.querySelector(".legend").textContent;
    const key = (name) =>
      charts[0].dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
    const legends = [legend()];
    key("ArrowRight"); legends.push(legend());
    key("ArrowRight"); legends.push(legend());
    key("ArrowLeft"); key("Escape"); legends.push(legend());
    const svg = charts[0].querySelector("svg").getBoundingClientRect();
    charts[0].dispatchEvent(new PointerEvent(
      "pointermove", { clientX: svg.right - 15, clientY: svg.top + 20, bubbles: true }));
    return [...legends, legend()];)js");
  EXPECT_EQ(answer, json({"newesttraining 0.6667validation 3", "step 10training 5.5validation –",
                          "step 20training –validation 4", "newesttraining 0.6667validation 3",
                          "step 40training 0.6667validation 3"}));
}

TEST_F(RunPageInBrowser, ShowsAComparisonTableWithOneColumnPerRun) {
  RunPageData data;
  data.name = "small, large";
  data.tables = {{"Summary", "", {"small", "<b>large"}, {{"BLEU", {"20", "30"}}}}};
  data.charts = {{"BLEU", "", {{"small", {{10, 20}}}, {"<b>large", {{10, 30}, {20, 40}}}}}};
  const json answer = ask(data, R"js(
    const visible = (id) => !document.getElementById(id).hidden;
    return { head: texts("#tables thead th"), body: texts("#tables tbody > tr > *"),
             legend: texts(".legend")[0], curves: document.querySelectorAll(".curve").length,
             visible: ["state-line", "facts-card", "config-card"].filter(visible) };)js");
  EXPECT_EQ(answer["head"], json({"small", "<b>large"}));
  EXPECT_EQ(answer["body"], json({"BLEU", "20", "30"}));
  EXPECT_EQ(answer["legend"], "newestsmall 20 (step 10)<b>large 40");
  EXPECT_EQ(answer["curves"], 2);
  EXPECT_EQ(answer["visible"], json::array()) << "they describe one run";
}

TEST_F(RunPageInBrowser, ChartsFitANarrowScreen) {
  const json answer = ask(made_up_run(), R"js(
    document.body.style.width = "360px";
    return { widths: charts.map((chart) => chart.querySelector("svg").clientWidth),
             card: document.querySelector(".card").clientWidth };)js");
  EXPECT_LE(answer["card"].get<int>(), 360);
  for (const auto& width : answer["widths"]) EXPECT_LE(width.get<int>(), answer["card"].get<int>());
}

TEST_F(RunPageInBrowser, OpensWithoutErrorsIfTheRunHasNoData) {
  const json answer = ask({}, "return charts.length;");
  EXPECT_EQ(answer, 0);
}

}  // namespace
}  // namespace tfm
