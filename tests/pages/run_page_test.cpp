#include "tfm/pages/run_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <regex>

#include "browser.h"

namespace tfm {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// A run with two charts (one has two curves and a gap) and two samples (one is hostile).
RunPageData made_up_run() {
  RunPageData data;
  data.name = "made </up>";
  data.facts = {{"State", "finished: max_steps 40 reached"}, {"Step", "40"}};
  data.charts = {
      {"Loss",
       "Nats.",
       {{"training",
         {{10, 5.5}, {20, std::numeric_limits<double>::quiet_NaN()}, {30, 3.25}, {40, 2.125}}},
        {"validation", {{20, 4}, {40, 3}}}}},
      {"Learning rate", "", {{"rate", {{10, 1e-5}, {40, 4e-5}}}}}};
  data.samples = {{"ein Bier", "a beer", {{10, "a"}, {20, "a"}, {30, "beer"}, {40, "a beer"}}},
                  {"</script><b>", "{{run}}", {{40, "<!-- \xff"}}}};
  data.best_step = 30;
  data.config = "model:\n  heads: 4  # <x>\n";
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

TEST_F(RunPageInBrowser, ShowsFactsConfigAndSamples) {
  const json answer = ask(made_up_run(), R"js(
    return { name: document.querySelector("h1").textContent, facts: texts("dd"),
             config: document.querySelector("#config").textContent,
             captions: texts(".sample .caption"), lines: texts(".sample bdi"),
             markup: document.querySelectorAll(".sample b, x").length,
             loaded: performance.getEntriesByType("resource").length };)js");
  EXPECT_EQ(answer["name"], "made </up>");
  EXPECT_EQ(answer["facts"], json({"finished: max_steps 40 reached", "40"}));
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
  EXPECT_EQ(answer, json({"newesttraining 2.125validation 3", "step 10training 5.5validation 4",
                          "step 20training –validation 4", "newesttraining 2.125validation 3",
                          "step 40training 2.125validation 3"}));
}

TEST_F(RunPageInBrowser, FitsANarrowScreen) {
  const json answer = ask(made_up_run(), R"js(
    document.body.style.width = "360px";
    return { widths: charts.map((chart) => chart.querySelector("svg").clientWidth),
             card: document.querySelector(".card").clientWidth };)js");
  EXPECT_LE(answer["card"].get<int>(), 360);
  for (const auto& width : answer["widths"]) EXPECT_LE(width.get<int>(), answer["card"].get<int>());
}

TEST_F(RunPageInBrowser, ShowsARunWithoutData) {
  const json answer = ask({}, "return charts.length;");
  EXPECT_EQ(answer, 0);
}

}  // namespace
}  // namespace tfm
