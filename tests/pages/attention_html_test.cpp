#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "browser.h"
#include "sample.h"

namespace tfm {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> hostile = {
    "</script><b>", "\"&", "<!--", "{{sentences}}", "مرحبا", "漢字👩‍👩‍👧‍👦",
    "a\xff"};

/// Returns two sentences: one of plain tokens, and one of tokens that could break a page.
const std::vector<SentenceAttention>& sentences() {
  static const std::vector<SentenceAttention> two = {
      made_up_sentence({"s0", "s1", "s2", "s3"}, {"t0", "t1"}),
      made_up_sentence(hostile, {"t", "<i>"})};
  return two;
}

std::string page() { return attention_html(sentences(), {}, "runs </b>"); }

/// Returns the JSON document that the page contains.
json page_document(const std::string& html) {
  const std::string open = "<script type=\"application/json\" id=\"sentences\">";
  const auto begin = html.find(open) + open.size();
  return json::parse(html.substr(begin, html.find("</script>", begin) - begin));
}

TEST(AttentionHtml, ContainsThousandthsWithoutTheLastZerosOfRows) {
  const json document = page_document(page());
  ASSERT_EQ(document["sentences"].size(), 2u);
  const json& first = document["sentences"][0];
  for (int t = 0; t < 3; ++t) {
    for (int s = 0; s < 5; ++s)
      EXPECT_EQ(first["cross"][1][2][t][s].get<int>(),
                std::lround(1000 * sentences()[0].cross.at(1, 2, t, s)));
    EXPECT_EQ(first["decoder"][1][2][t].size(), static_cast<std::size_t>(t) + 1);
  }
}

TEST(AttentionHtml, TokensCannotEndTheScriptElement) {
  const std::string html = page();
  EXPECT_THAT(html, Not(HasSubstr("</script><b>")));
  EXPECT_THAT(html, Not(HasSubstr("<!--")));
  EXPECT_EQ(page_document(html)["sentences"][1]["source"][0], "</script><b>");
  EXPECT_EQ(page_document(html)["sentences"][1]["source"][3], "{{sentences}}");
  EXPECT_EQ(page_document(html)["sentences"][1]["source"][6], "a\uFFFD");
}

TEST(AttentionHtml, LoadsNoOtherFiles) {
  const std::string html = page();
  EXPECT_THAT(html, testing::ContainsRegex(
                        "Content-Security-Policy\"[[:space:]]+content=\"default-src 'none';"));
  for (const char* part :
       {" src=", "<link", "@import", "url(h", "url(/", "fetch(", "import ", "XMLHttpRequest"})
    EXPECT_THAT(html, Not(HasSubstr(part)));
  const std::string rest = std::regex_replace(
      html, std::regex("<a href=\"https://arxiv.org/[^\"]*\"|\"http://www.w3.org/2000/svg\""), "");
  EXPECT_THAT(rest, Not(HasSubstr("http:")))
      << "only links and the name of the SVG namespace are allowed";
  EXPECT_THAT(rest, Not(HasSubstr("https:")));
}

TEST(AttentionHtml, ContainsANoteThatWeightsAreNotAnExplanation) {
  EXPECT_THAT(page(), HasSubstr("Attention weights are not an explanation"));
  EXPECT_THAT(page(), HasSubstr("Jain and Wallace 2019"));
}

/// Opens the page in Chromium. ask() checks that no script failed.
class AttentionPage : public testing::Test {
 protected:
  void SetUp() override {
    if (find_browser().empty())
      GTEST_SKIP()
          << "Chromium is not on PATH (chromium, chromium-browser, google-chrome): the page "
             "was not opened";
  }

  static json ask(const std::string& html, const std::string& hash, const std::string& probe) {
    const std::string helpers = R"js(
      const $ = (selector) => document.querySelector(selector);
      const text = (selector) =>
        [...document.querySelectorAll(selector)].map((element) => element.textContent);
      const key = (name) => $("#map").dispatchEvent(
        new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
      const shownNow = () => ({
        row: text("#readout .row-token")[0], column: text("#readout .column-token")[0],
        weight: text("#readout .weight")[0], kind: $("#map").dataset.kind,
        cells: Number($("#map").dataset.cells), title: $("#map-title").textContent,
        hash: location.hash });
    )js";
    const json whole = ask_browser(html, hash, helpers + probe);
    EXPECT_EQ(whole["ready"], "true");
    EXPECT_TRUE(whole["error"].is_null()) << whole["error"];
    return whole["answer"];
  }

  /// Checks a shown weight, which was rounded to three decimals.
  static void expect_weight(const json& shown, float weight) {
    const auto text = shown.get<std::string>();
    EXPECT_THAT(text, testing::MatchesRegex("[01][.][0-9][0-9][0-9]"));
    EXPECT_NEAR(std::stod(text), weight, 0.00056);
  }
};

TEST_F(AttentionPage, OpensWithTheMeanOverAllLayersAndHeads) {
  const json answer = ask(page(), "", R"js(
    return { ...shownNow(), columns: text(".column-labels text"), rows: text(".row-labels text"),
             thumbnails: text(".thumbnail").length, options: text("#sentence option").length,
             loaded: performance.getEntriesByType("resource").length };)js");
  EXPECT_EQ(answer["kind"], "cross");
  EXPECT_EQ(answer["title"], "Cross-attention: mean of 2 layers, mean of 3 heads");
  EXPECT_EQ(answer["cells"], 15);
  EXPECT_EQ(answer["columns"], json({"s0", "s1", "s2", "s3", "</s>"}));
  EXPECT_EQ(answer["rows"], json({"t0", "t1", "</s>"}));
  EXPECT_EQ(answer["thumbnails"], 3 * 4) << "2 layers and 3 heads, and their means";
  EXPECT_EQ(answer["options"], 2);
  EXPECT_EQ(answer["loaded"], 0);
}

TEST_F(AttentionPage, ShowsTheModelNameAndTheNumbersOfLayersAndHeads) {
  const json answer = ask(page(), "", R"js(
    return { heading: $("h1").textContent, title: document.title,
             captions: text(".thumbnails .caption"), counts: text("#overview-counts")[0] };)js");
  EXPECT_EQ(answer["heading"], "Attention model runs </b>");
  EXPECT_EQ(answer["title"], "Attention – runs </b> – tfm");
  EXPECT_EQ(answer["counts"], "2 layers (rows) and 3 heads (columns)");
  EXPECT_EQ(answer["captions"],
            json({"head 0", "head 1", "head 2", "mean", "layer 0", "layer 1", "mean"}));
}

TEST_F(AttentionPage, ShowsTheWordStartSymbolAsADot) {
  const json answer =
      ask(attention_html({made_up_sentence({"▁ein", "▁", "Bier"}, {"▁a▁beer"})}, {}, "m"),
          "#cell=0,0", R"js(
    return { ...shownNow(), columns: text(".column-labels text"),
             raw: JSON.parse($("#sentences").textContent).sentences[0].source[0] };)js");
  EXPECT_EQ(answer["columns"], json({"·ein", "·", "Bier", "</s>"}));
  EXPECT_EQ(answer["row"], "·a·beer");
  EXPECT_EQ(answer["raw"], "▁ein") << "the saved numbers have the tokens of the model";
}

/// At widths from 120 to 880 pixels, neighbouring column labels are at least 1.2 font sizes apart.
TEST_F(AttentionPage, RotatedLabelsDoNotOverlap) {
  const json answer = ask(page(), "", R"js(
    const distances = [];
    for (let width = 120; width < 900; width += 20) {
      const map = { rows: ["a"], columns: Array(20).fill("Wort"), causal: false };
      const { cell, slanted, fontSize } = computeLayout(map, width);
      distances.push((slanted ? cell * Math.SQRT1_2 : cell) / fontSize);
    }
    return Math.min(...distances);)js");
  EXPECT_GE(answer.get<double>(), 1.199);
}

TEST_F(AttentionPage, ReservesSpaceForACellOnlyAfterOneWasShown) {
  const json answer = ask(page(), "", R"js(
    const height = () => $("#choice").clientHeight - $("#map-help").clientHeight;
    const before = height();
    key("ArrowRight"); key("Escape");
    return { before, after: height(), readout: $("#readout").textContent };)js");
  EXPECT_LT(answer["before"], 24);
  EXPECT_GT(answer["after"], 24);
  EXPECT_EQ(answer["readout"], "");
}

TEST_F(AttentionPage, SelectsACellByTappingOnTouchScreens) {
  const json answer = ask(page(), "", R"js(
    const rules = [...document.styleSheets[0].cssRules].filter((rule) =>
      rule.conditionText === "(hover: none)").flatMap((rule) => [...rule.cssRules]);
    const display = Object.fromEntries(
      rules.map((rule) => [rule.selectorText, rule.style.display]));
    const help = $("#map-help").hidden;
    const cell = document.querySelector(".cell").getBoundingClientRect();
    const tap = () => $("#map").dispatchEvent(new MouseEvent(
      "click", { clientX: cell.x + 5, clientY: cell.y + 5, bubbles: true }));
    tap();
    const chosen = [shownNow().row, $("#map-help").hidden];
    tap();
    return { display, touch: text(".for-touch")[0].replace(/\s+/g, " "), chosen,
             cleared: [text("#readout")[0], $("#map-help").hidden, help] };)js");
  EXPECT_EQ(answer["display"], json({{".for-pointer", "none"}, {".for-touch", "inline"}}));
  EXPECT_EQ(answer["touch"], "Tap a cell to select it. Tap it again to clear the selection.");
  EXPECT_EQ(answer["chosen"], json({"t0", true}));
  EXPECT_EQ(answer["cleared"], json({"", false, false}));
}

TEST_F(AttentionPage, OpensTheMapAndCellNamedInTheUrlFragment) {
  const json answer = ask(page(), "#sentence=0&kind=cross&layer=1&head=2&cell=1,3", R"js(
    const first = shownNow();
    await new Promise((done) => {
      addEventListener("hashchange", done, { once: true });
      location.hash = "#kind=encoder&layer=0&head=1&cell=4,0";
    });
    return [first, shownNow()];)js");
  EXPECT_EQ(answer[0]["row"], "t1");
  EXPECT_EQ(answer[0]["column"], "s3");
  expect_weight(answer[0]["weight"], sentences()[0].cross.at(1, 2, 1, 3));
  EXPECT_EQ(answer[1]["row"], "</s>");
  EXPECT_EQ(answer[1]["column"], "s0");
  expect_weight(answer[1]["weight"], sentences()[0].encoder.at(0, 1, 4, 0));
  EXPECT_EQ(answer[1]["cells"], 25);
}

TEST_F(AttentionPage, OpensWithTheSelectedLayerAndHead) {
  const json answer =
      ask(attention_html(sentences(), {1, 0}, ""), "", "key('ArrowRight'); return shownNow();");
  EXPECT_EQ(answer["title"], "Cross-attention: layer 1, head 0");
  expect_weight(answer["weight"], sentences()[0].cross.at(1, 0, 0, 0));
}

TEST_F(AttentionPage, KeysTabsAndThumbnailsChangeTheSelection) {
  const json answer = ask(page(), "", R"js(
    $("#tab-decoder").click();
    $(".thumbnail[data-layer='1'][data-head='2']").click();
    // the first key selects a cell, the last stops at the edge
    ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowDown"].forEach(key);
    const inside = shownNow();
    key("ArrowUp"); key("ArrowUp");
    return [inside, shownNow()];)js");
  EXPECT_EQ(answer[0]["kind"], "decoder");
  EXPECT_EQ(answer[0]["cells"], 6) << "masked cells are blank";
  EXPECT_EQ(answer[0]["row"], "t1");
  EXPECT_EQ(answer[0]["column"], "t0");
  expect_weight(answer[0]["weight"], sentences()[0].decoder.at(1, 2, 2, 1));
  EXPECT_THAT(answer[0]["hash"].get<std::string>(),
              HasSubstr("kind=decoder&layer=1&head=2&cell=2,1"));
  EXPECT_EQ(answer[1]["weight"], "masked");
}

TEST_F(AttentionPage, ShowsTheCellUnderThePointer) {
  const json answer = ask(page(), "#layer=0&head=0", R"js(
    const [row, column] = [1, 3];
    const cell = document.querySelectorAll(".cell")[row * 5 + column].getBoundingClientRect();
    const at = (type, box) => $("#map").dispatchEvent(new PointerEvent(
      type, { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 }));
    at("pointermove", cell);
    const bands = document.querySelectorAll(".band");
    const over = { ...shownNow(), lit: text(".lit"), band: bands.length };
    at("pointerleave", cell);
    return [over, text("#readout")[0]];)js");
  expect_weight(answer[0]["weight"], sentences()[0].cross.at(0, 0, 1, 3));
  EXPECT_EQ(answer[0]["lit"], json({"s3", "t1"}));
  EXPECT_EQ(answer[0]["band"], 1);
  EXPECT_EQ(answer[1], "");
}

TEST_F(AttentionPage, ShowsTokensWithMarkupAsText) {
  const json answer = ask(page(), "#sentence=1&kind=encoder&layer=0&head=0&cell=0,1", R"js(
    $("#numbers").open = true;
    await new Promise((done) => setTimeout(done, 50));
    return { ...shownNow(), columns: text("#numbers thead th"),
             corner: text("#numbers tbody td")[1], bold: text("b, i").length };)js");
  EXPECT_EQ(answer["row"], "</script><b>");
  EXPECT_EQ(answer["column"], "\"&");
  EXPECT_EQ(answer["bold"], 0);
  EXPECT_EQ(answer["columns"], json({"</script><b>", "\"&", "<!--", "{{sentences}}", "مرحبا",
                                     "漢字👩‍👩‍👧‍👦", "a\uFFFD", "</s>"}));
  expect_weight(answer["corner"], sentences()[1].encoder.at(0, 0, 0, 1));
}

TEST_F(AttentionPage, SavesTheMapAsSvgAndTheNumbersAsJson) {
  const json answer = ask(page(), "#sentence=1&layer=0&head=0", R"js(
    const blobs = [], names = [];
    URL.createObjectURL = (blob) => { blobs.push(blob); return "blob:null/0"; };
    HTMLAnchorElement.prototype.click = function () { names.push(this.download); };
    $("#save-svg").click(); $("#save-json").click();
    const svg = new DOMParser().parseFromString(await blobs[0].text(), "image/svg+xml");
    const numbers = JSON.parse(await blobs[1].text());
    return { names, fault: svg.querySelectorAll("parsererror").length,
             cells: svg.querySelectorAll(".cell").length, format: numbers.format,
             weight: numbers.sentences[0].cross[1][2][1][3],
             masked: numbers.sentences[0].decoder[0][0][0] };)js");
  EXPECT_EQ(answer["names"], json({"attention-cross-layer-0-head-0.svg", "attention.json"}));
  EXPECT_EQ(answer["fault"], 0);
  EXPECT_EQ(answer["cells"], 3 * 8);
  EXPECT_EQ(answer["format"], "tfm attention");
  EXPECT_NEAR(answer["weight"].get<double>(), sentences()[0].cross.at(1, 2, 1, 3), 5.001e-4);
  EXPECT_EQ(answer["masked"], json({1.0, 0.0, 0.0}));
}

TEST_F(AttentionPage, ShowsTheMeanOverLayersIfTheChosenLayerIsMissing) {
  std::vector<SentenceAttention> deep = sentences();
  deep[0].encoder = made_up_weights(6, 3, 5, 5);
  const json answer = ask(attention_html(deep, {5, 1}, ""), "", R"js(
    const cross = $("#map-title").textContent;
    $("#tab-encoder").click();
    return [cross, $("#map-title").textContent];)js");
  EXPECT_EQ(answer[0], "Cross-attention: mean of 2 layers, head 1");
  EXPECT_EQ(answer[1], "Encoder self-attention: layer 5, head 1");
}

TEST_F(AttentionPage, ShowsANoteIfThereAreNoSentences) {
  EXPECT_EQ(ask(attention_html({}, {}, ""), "", "return $('main').textContent;"),
            "This page has no sentences.");
}

}  // namespace
}  // namespace tfm
