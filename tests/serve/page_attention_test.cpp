#include <gmock/gmock.h>

#include "page_in_browser.h"
#include "tfm/pages/attention.h"

namespace tfm {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// A model of one layer and head, whose translation of a line is the line.
LineTranslation answer_line(const LaneLine& line) {
  const auto& details = line.details;
  if (details.attention_target.empty()) return {{line.text}, {{{line.text, 0.5, 0}}}};
  LineTranslation result{{details.attention_target}};
  if (details.attention_target == "bad") {
    result.error.emplace(400, "the line is too long");
    return result;
  }
  const AttentionWeights weights{1, 1, 2, 2, {1, 0, 0.25, 0.75}};
  const SentenceAttention sentence{.source_text = line.text,
                                   .target_text = details.attention_target,
                                   .source = {line.text, "</s>"},
                                   .target_input = {"<s>", details.attention_target},
                                   .target_output = {details.attention_target, "</s>"},
                                   .encoder = weights,
                                   .decoder = weights,
                                   .cross = weights};
  result.attention = attention_page_data(sentence, {.layer = 0, .head = 0});
  return result;
}

class PageAttentionInBrowser : public PageInBrowser {
 protected:
  PageAttentionInBrowser() {
    const auto lane =
        std::make_shared<Lane>([](const LaneLine& line) { return answer_line(line); });
    models_ = std::make_shared<const ServedModels>(
        std::vector<ServedModel>{{{"de", "en"}, lane, lane, ""}, {{"en", "fr"}, lane, lane, ""}});
  }
};

TEST_F(PageAttentionInBrowser, ShowsTheAttentionOfTheAddress) {
  options.url_prefix = "/mt";
  const auto answer = ask(R"js(
    await until(() => byId("map").dataset.cells);
    document.querySelector(".thumbnail").click();
    byId("map").focus();
    return { source: shown("source-text"), target: shown("target-text"),
             title: shown("map-title"), cells: byId("map").dataset.cells,
             labels: [...document.querySelectorAll(".row-labels text")].map((t) => t.textContent),
             main: document.querySelector("main").hidden, violations };)js",
                          "attention.html?source=de&target=en&q=%3Cb%3E&translation=b");
  EXPECT_EQ(answer, json::parse(R"({"source": "<b>", "target": "b", "cells": "4",
      "title": "Cross-attention: layer 0, head 0", "labels": ["b", "</s>"], "main": false,
      "violations": []})"));
}

TEST_F(PageAttentionInBrowser, KeepsTheTextsInTheHashBesideItsState) {
  const auto answer =
      ask(R"js(
    await until(() => byId("map").dataset.cells);
    byId("tab-encoder").click();
    const hash = new URLSearchParams(location.hash.slice(1));
    return { source: shown("source-text"), target: shown("target-text"),
             hash: ["q", "translation", "kind", "theme"].map((name) => hash.get(name)) };)js",
          "attention.html?q=c#source=de&target=en&q=a+%26&translation=b&theme=dark");
  EXPECT_EQ(answer, json::parse(R"({"source": "a &", "target": "b",
                                     "hash": ["a &", "b", "encoder", "dark"]})"));
}

TEST_F(PageAttentionInBrowser, SaysWhyThereIsNoAttention) {
  const auto reason = [&](const std::string& query) {
    return ask(R"js(
      const isHidden = (name) => document.querySelector(name).offsetParent === null;
      return [shown("failure"), isHidden("main"), isHidden(".sentence"), isHidden("#theme")];)js",
               "attention.html" + query);
  };
  EXPECT_EQ(reason("?source=de&target=en&q=a&translation=bad"),
            json::parse(R"(["the line is too long", true, true, true])"));
  EXPECT_THAT(reason("?source=de&target=fr&q=a&translation=b")[0].get<std::string>(),
              HasSubstr("two models"));
  EXPECT_THAT(reason("?source=en&target=en&q=a&translation=b")[0].get<std::string>(),
              HasSubstr("no model translates it"));
  EXPECT_THAT(reason("?source=de&target=en&q=a%0Ab&translation=b")[0].get<std::string>(),
              HasSubstr("q has several lines"));
}

TEST_F(PageAttentionInBrowser, IsLinkedForATranslationOfOneLineByOneModel) {
  const auto link = [&](const std::string& query) {
    return ask(R"js(
      await until(() => shown("translation") !== "");
      return byId("attention").hidden ? "" : byId("attention").getAttribute("href");)js",
               query);
  };
  EXPECT_EQ(link("?source=de&target=en&q=a%26%0A#theme=dark"),
            "attention.html#source=de&target=en&q=a%26&translation=a%26&theme=dark");
  EXPECT_EQ(link("?source=de&target=en&q=a%0Ab"), "");
  EXPECT_EQ(link("?source=de&target=fr&q=a"), "");
}

}  // namespace
}  // namespace tfm
