#include "tfm/pages/cleaning_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "browser.h"

namespace tfm {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// Returns a cleaning of 1,000,000 pairs with one rule that dropped many, one that dropped one pair
/// with markup, one that dropped nothing and one that is off.
CleaningPageData made_up_cleaning() {
  CleaningPageData data;
  data.name = "raw </up>";
  data.pairs = 1'000'000;
  data.kept = 749'999;
  data.source_language = "de";
  data.target_language = "en";
  data.facts = {{"Written", "<clean>.de"}};
  data.rules = {{.name = "max_words",
                 .summary = "a side has more than N words",
                 .value = "150",
                 .is_on = true,
                 .dropped = 250'000,
                 .examples = {{7, "lang", "long", 0.0123456}}},
                {.name = "markup",
                 .summary = "a side has HTML",
                 .value = "on",
                 .is_on = true,
                 .dropped = 1,
                 .examples = {{12'345, "</script><b>x</b>", "{{cleaning}} \xff"}}},
                {.name = "empty", .summary = "empty", .value = "on", .examples = {}},
                {.name = "min_words",
                 .summary = "a side has fewer than N words",
                 .value = "off",
                 .is_on = false,
                 .examples = {}}};
  data.generated = "2026-01-02 03:04 UTC";
  return data;
}

TEST(CleaningPage, TextCannotEndTheScriptElement) {
  const std::string html = cleaning_page_html(made_up_cleaning());
  for (const char* part : {"</script><b>", "</up>", "<clean>"})
    EXPECT_THAT(html, Not(HasSubstr(part)));
  EXPECT_THAT(html, HasSubstr("{{cleaning}}")) << "inserted text is not searched for placeholders";
}

TEST(CleaningPage, LoadsNoOtherFiles) {
  const std::string html = cleaning_page_html(made_up_cleaning());
  EXPECT_THAT(html, testing::ContainsRegex(
                        "Content-Security-Policy\"[[:space:]]+content=\"default-src 'none';"));
  for (const char* part : {" src=", "<link", "@import", "url(", "fetch(", "import ", "https:"})
    EXPECT_THAT(html, Not(HasSubstr(part)));
}

class CleaningPageInBrowser : public testing::Test {
 protected:
  void SetUp() override {
    if (find_browser().empty()) GTEST_SKIP() << "Chromium is not on PATH: the page was not opened";
  }

  static json ask(const CleaningPageData& data, const std::string& probe) {
    const std::string helpers = R"js(
      const texts = (selector, place = document) =>
        [...place.querySelectorAll(selector)].map((element) => element.textContent);
    )js";
    const json whole = ask_browser(cleaning_page_html(data), "", helpers + probe);
    EXPECT_EQ(whole["ready"], "true");
    EXPECT_TRUE(whole["error"].is_null()) << whole["error"];
    return whole["answer"];
  }
};

TEST_F(CleaningPageInBrowser, ShowsTotalsRulesBarsAndExamples) {
  const json seen = ask(made_up_cleaning(), R"js(
    const width = (selector) => document.querySelector(selector).getBoundingClientRect().width;
    return {
      title: document.title, totals: texts("#totals dd"), facts: texts("#facts dd"),
      rows: [...document.querySelectorAll("#rules tbody tr")].map((row) => texts("th, td", row)),
      kept: width("#whole div") / width("#whole"),
      bars: [...document.querySelectorAll(".bar")].map((bar) => bar.style.width),
      links: [...document.querySelectorAll("#rules a")].map(
        (link) => texts(`${link.getAttribute("href")} h2`)[0]),
      hints: texts("#examples .hint"), sides: texts("#examples bdi"),
      lines: texts(".pair p:first-child .caption:last-child"),
      languages: [...document.querySelectorAll("#examples bdi")].map(({ lang }) => lang),
      scrolls: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    };
  )js");
  EXPECT_EQ(seen["title"], "raw </up> – tfm");
  EXPECT_EQ(seen["totals"], json({"1,000,000", "749,999 (75.00%)", "250,001 (25.00%)"}));
  EXPECT_EQ(seen["facts"], json({"<clean>.de"}));
  EXPECT_EQ(seen["rows"],
            json({{"max_words", "250,000", "25.00%", "", "150", "a side has more than 150 words"},
                  {"markup", "1", "<0.01%", "", "on", "a side has HTML"},
                  {"empty", "0", "0.00%", "", "on", "empty"},
                  {"min_words", "", "", "", "off", "a side has fewer than N words"}}));
  EXPECT_NEAR(seen["kept"].get<double>(), 0.75, 0.01);
  EXPECT_EQ(seen["bars"], json({"100%", "0.0004%"}));
  EXPECT_EQ(seen["links"], json({"max_words", "markup"}));
  EXPECT_EQ(
      seen["hints"],
      json({"Dropped if a side has more than 150 words. The first 1 of 250,000 dropped pairs.",
            "Dropped if a side has HTML. The dropped pair."}));
  EXPECT_EQ(seen["lines"], json({"7, measured 0.01235", "12,345"}));
  EXPECT_EQ(seen["sides"], json({"lang", "long", "</script><b>x</b>", "{{cleaning}} \uFFFD"}));
  EXPECT_EQ(seen["languages"], json({"de", "en", "de", "en"}));
  EXPECT_FALSE(seen["scrolls"].get<bool>());
}

TEST_F(CleaningPageInBrowser, HidesRulesWithoutDroppedPairs) {
  EXPECT_EQ(ask(made_up_cleaning(), R"js(
    document.getElementById("only-used").click();
    return texts("#rules tbody tr:not([hidden]) th");
  )js"),
            json({"max_words", "markup"}));
}

TEST_F(CleaningPageInBrowser, ShowsACorpusWithoutPairs) {
  EXPECT_EQ(ask(CleaningPageData{}, R"js(return texts("#totals dd");)js"),
            json({"0", "0 (0.00%)", "0 (0.00%)"}));
}

}  // namespace
}  // namespace tfm
