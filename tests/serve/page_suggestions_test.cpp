#include <gmock/gmock.h>

#include "page_in_browser.h"
#include "temporary_folder.h"

namespace tfm {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class PageSuggestionsInBrowser : public PageInBrowser {
 protected:
  PageSuggestionsInBrowser() { options.suggestions = folder.path("suggestions"); }

  TemporaryFolder folder;
};

const std::string suggestion_helpers = R"js(
  await until(() => shown("translation") !== "");
  const send = () => byId("suggest").requestSubmit();
  const state = () => ({ form: !byId("suggest").hidden, button: !byId("suggest-open").hidden,
                         note: shown("suggest-state"), focus: document.activeElement.id });
)js";

TEST_F(PageSuggestionsInBrowser, SendsABetterTranslation) {
  const auto answer = ask(suggestion_helpers + R"js(
    byId("suggest-open").click();
    const opened = { ...state(), text: byId("suggestion").value };
    byId("suggestion").value = "house";
    send();
    await until(() => shown("suggest-state") !== "");
    return { opened, sent: state() };)js",
                          "?source=auto&target=en&q=Haus%0A");
  EXPECT_EQ(answer["opened"], json::parse(R"({"form": true, "button": false, "note": "",
                                               "focus": "suggestion", "text": "[Haus]\n"})"));
  EXPECT_EQ(answer["sent"], json::parse(R"({"form": false, "button": true,
      "note": "Thank you. The service keeps your suggestion.", "focus": "suggest-open"})"));
  EXPECT_EQ(json::parse(folder.read("suggestions")),
            json::parse(R"({"q": "Haus\n", "s": "house", "source": "de", "target": "en"})"));
}

TEST_F(PageSuggestionsInBrowser, NamesTheLanguagesOfTheShownTranslation) {
  ask(suggestion_helpers + R"js(
    const real = window.fetch;
    window.fetch = (path, ...rest) =>
      path === "translate" ? new Promise(() => {}) : real(path, ...rest);
    choose("target", "de");
    byId("suggest-open").click();
    send();
    await until(() => shown("suggest-state") !== "");)js",
      "?source=en&target=it&q=house");
  EXPECT_EQ(json::parse(folder.read("suggestions")),
            json::parse(R"({"q": "house", "s": "1 house", "source": "en", "target": "it"})"));
}

TEST_F(PageSuggestionsInBrowser, ThanksWithoutOfferingTheFormIfTheTextWasCleared) {
  const auto answer = ask(suggestion_helpers + R"js(
    const real = window.fetch;
    let isCleared = false;
    window.fetch = async (...request) => {
      await until(() => isCleared);
      return real(...request);
    };
    byId("suggest-open").click();
    send();
    byId("clear").click();
    isCleared = true;
    await until(() => shown("suggest-state") !== "");
    return state();)js",
                          "?source=de&target=en&q=Haus");
  EXPECT_EQ(answer, json::parse(R"({"form": false, "button": false, "focus": "text",
      "note": "Thank you. The service keeps your suggestion."})"));
}

TEST_F(PageSuggestionsInBrowser, KeepsTheFormIfTheServiceRefuses) {
  options.limits.suggestion_bytes = 10;
  const auto answer = ask(suggestion_helpers + R"js(
    byId("suggest-open").click();
    send();
    await until(() => shown("suggest-state") !== "");
    const refused = state();
    byId("suggest-cancel").click();
    return { refused, cancelled: state() };)js",
                          "?source=de&target=en&q=Haus");
  EXPECT_EQ(answer["refused"]["form"], true);
  EXPECT_THAT(answer["refused"]["note"].get<std::string>(), HasSubstr("no space"));
  EXPECT_EQ(answer["cancelled"], json::parse(R"({"form": false, "button": true, "note": "",
                                                  "focus": "suggest-open"})"));
}

TEST_F(PageSuggestionsInBrowser, AreNotOfferedIfTheServiceKeepsNone) {
  options.suggestions.clear();
  const auto answer = ask(suggestion_helpers + "return state();", "?source=de&target=en&q=Haus");
  EXPECT_EQ(answer["button"], false);
}

}  // namespace
}  // namespace tfm
