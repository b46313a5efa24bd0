#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "page_in_browser.h"

namespace tfm {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(PageTest, HasThreeFilesUnderAStrictPolicy) {
  const std::map<std::string, std::string> types{
      {"/", "text/html"}, {"/page.css", "text/css"}, {"/page.js", "text/javascript"}};
  for (const auto& [path, type] : types) {
    const auto reply = get(path);
    EXPECT_EQ(reply.status, 200) << path;
    EXPECT_EQ(reply.content_type, type + "; charset=utf-8");
    const auto policy = std::ranges::find(reply.headers, "Content-Security-Policy",
                                          [](const auto& header) { return header.first; });
    ASSERT_NE(policy, reply.headers.end()) << path;
    EXPECT_THAT(policy->second, HasSubstr("default-src 'none'; script-src 'self'"));
    EXPECT_THAT(policy->second, testing::Not(HasSubstr("unsafe")));
  }
}

TEST_F(PageTest, IsBelowThePrefix) {
  options.url_prefix = "/mt";
  EXPECT_EQ(get("/").status, 404);
  EXPECT_EQ(get("/mt/page.js").status, 200);
  const auto reply = get("/mt");
  EXPECT_EQ(reply.status, 308);
  EXPECT_THAT(reply.headers, testing::Contains(testing::Pair("Location", "/mt/")));
}

TEST_F(PageTest, NeedsNoKey) {
  options.access.keys = {{"secret", std::nullopt}};
  EXPECT_EQ(get("/").status, 200);
}

TEST_F(PageInBrowser, TranslatesWhenTypingPauses) {
  const auto answer = ask(R"js(
    choose("source", "de");
    type("ein Ha"); type("ein Haus\n\nzwei");
    await until(() => shown("translation") !== "");
    return { translation: shown("translation"), count: shown("count"),
             swap: byId("swap").disabled, others: byId("others-card").hidden,
             address: location.search, problem: byId("problem").hidden,
             loaded: performance.getEntriesByType("resource").map((entry) => entry.name)
               .filter((name) => !name.startsWith(location.origin)) };)js");
  EXPECT_EQ(answer["translation"], "[ein Haus]\n\n[zwei]");
  EXPECT_EQ(answer["count"], "14 of 50,000 characters");
  EXPECT_EQ(answer["swap"], false);
  EXPECT_EQ(answer["others"], true);
  EXPECT_EQ(answer["address"], "?source=de&target=en");
  EXPECT_EQ(answer["problem"], true);
  EXPECT_EQ(answer["loaded"], json::array());
  EXPECT_THAT(german_lines(), ElementsAre("ein Haus", "zwei"))
      << "the text before the pause was sent, too";
}

TEST_F(PageInBrowser, OffersTheLanguagesOfTheModels) {
  const auto answer = ask(R"js(
    const first = { sources: codes("source"), source: byId("source").value,
                    targets: codes("target") };
    choose("source", "en"); choose("target", "it");
    const english = { targets: codes("target"), swap: byId("swap").disabled };
    return { first, english, lang: byId("text").lang };)js");
  const auto first = json::parse(R"({"sources": ["auto", "de", "en"], "source": "de",
                                     "targets": ["en", "it"]})");
  EXPECT_EQ(answer["first"], first);
  EXPECT_EQ(answer["english"]["targets"], json({"de", "it"}));
  EXPECT_EQ(answer["english"]["swap"], true) << "no model translates from Italian";
  EXPECT_EQ(answer["lang"], "en");
}

TEST_F(PageInBrowser, ExchangesLanguagesAndTexts) {
  const auto answer = ask(R"js(
    await until(() => shown("translation") === "[Haus]");
    byId("swap").click();
    await until(() => shown("translation") === "[[Haus]]");
    return { text: byId("text").value, source: byId("source").value,
             target: byId("target").value };)js",
                          "?source=de&target=en&q=Haus");
  const auto expected = json::parse(R"({"text": "[Haus]", "source": "en", "target": "de"})");
  EXPECT_EQ(answer, expected);
}

TEST_F(PageInBrowser, PutsAnAlternativeIntoTheTranslation) {
  const auto answer = ask(R"js(
    const others = () => [...document.querySelectorAll("#others button")];
    await until(() => shown("translation") === "1 a");
    const before = others().map((button) => button.textContent);
    others()[1].click();
    return { before, translation: shown("translation"), focus: document.activeElement.id,
             after: others().map((button) => button.textContent) };)js",
                          "?source=en&target=it&q=a");
  const auto expected = json::parse(R"({"before": ["2 a", "3 a"], "translation": "3 a",
                                        "focus": "translation", "after": ["1 a", "2 a"]})");
  EXPECT_EQ(answer, expected);
}

TEST_F(PageInBrowser, SaysWhatIsDetectedAndTheLanguageBetween) {
  const auto answer = ask(R"js(
    await until(() => shown("translation") !== "");
    return shown("details");)js",
                          "?source=auto&target=it&q=123");
  EXPECT_THAT(answer.get<std::string>(),
              testing::MatchesRegex("German \\(not certain\\) · through English · .* s"));
}

TEST_F(PageInBrowser, ShowsMarkupAsText) {
  const auto answer = ask(R"js(
    await until(() => shown("translation") !== "");
    return { text: shown("translation"),
             elements: document.querySelectorAll("#translation *").length };)js",
                          "?source=de&target=en&q=%3Cb%3Ea%3C/b%3E");
  const auto expected = json::parse(R"({"text": "[<b>a</b>]", "elements": 0})");
  EXPECT_EQ(answer, expected);
}

TEST_F(PageInBrowser, SaysWhatIsWrong) {
  options.limits.characters = 5;
  const auto answer = ask(R"js(
    type("zu lang");
    await until(() => !byId("problem").hidden);
    const long = shown("problem");
    type("fail");
    await until(() => shown("problem") !== long && !byId("problem").hidden);
    const failed = shown("problem");
    type("gut");
    await until(() => shown("translation") === "[gut]");
    return { long, failed, hidden: byId("problem").hidden };)js");
  EXPECT_EQ(answer["long"], "The text is longer than the service accepts.");
  EXPECT_THAT(answer["failed"].get<std::string>(), HasSubstr("the translation failed"));
  EXPECT_EQ(answer["hidden"], true);
}

TEST_F(PageInBrowser, ShowsTheStatusIfAProxyAnswersWithAPage) {
  const auto answer = ask(R"js(
    const real = window.fetch;
    window.fetch = async () => new Response("<h1>Bad Gateway</h1>", { status: 502 });
    type("gut");
    await until(() => !byId("problem").hidden);
    const problem = shown("problem");
    window.fetch = real;
    type("besser");
    await until(() => shown("translation") === "[besser]");
    return problem;)js");
  EXPECT_THAT(answer.get<std::string>(), HasSubstr("status 502"));
}

TEST_F(PageInBrowser, AsksForTheKeyBelowAPrefix) {
  options.access.keys = {{"secret", std::nullopt}};
  options.url_prefix = "/mt";
  const auto answer = ask(R"js(
    const first = shown("problem");
    type("wrong", "key");
    await until(() => !["", first].includes(shown("problem")));
    const wrong = shown("problem");
    type("secret", "key");
    await until(() => shown("translation") === "[a]");
    return { first, wrong, field: byId("key-field").hidden };)js",
                          "?source=de&target=en&q=a");
  EXPECT_EQ(answer["first"], "The service needs a key.");
  EXPECT_THAT(answer["wrong"].get<std::string>(), HasSubstr("key"));
  EXPECT_EQ(answer["field"], false);
}

}  // namespace
}  // namespace tfm
