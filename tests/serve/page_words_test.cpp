#include <gmock/gmock.h>

#include <mutex>

#include "page_in_browser.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

/// Returns the words of a text, each aligned to the source word that `source` returns.
std::vector<AlignedWord> aligned(const std::string& text,
                                 const std::function<std::int64_t(std::int64_t)>& source) {
  std::vector<AlignedWord> words;
  for (const auto word : split_words(text)) {
    const bool is_rare = word.find('?') != word.npos;
    words.push_back({std::string(word), is_rare ? 0.25 : 0.9, source(std::ssize(words))});
  }
  return words;
}

/// A model whose translation of a line has the line's words in reverse order. After a prefix, it
/// continues with "other" or with "rare?". A line with "<b>" has no words.
class PageWordsInBrowser : public PageInBrowser {
 protected:
  PageWordsInBrowser() {
    const auto lane =
        std::make_shared<Lane>([this](const LaneLine& line) { return translate(line); });
    models_ = std::make_shared<const ServedModels>(
        std::vector<ServedModel>{{{"de", "en"}, lane, lane, ""}});
  }

  LineTranslation translate(const LaneLine& line) {
    const auto& details = line.details;
    if (details.next_words > 0) {
      const std::lock_guard lock(mutex_);
      continued_.push_back(line);
      const auto begin = details.prefix + (details.prefix.empty() ? "" : " ");
      LineTranslation result{{begin + "other end", begin + "rare?"}};
      if (line.text == "fail now") result.error.emplace(400, "the prefix is wrong");
      for (const auto& text : result.candidates)
        result.words.push_back(aligned(text, [](std::int64_t) { return 0; }));
      return result;
    }
    const auto source = split_words(line.text);
    std::string text;
    for (const auto word : source) text = std::string(word) + (text.empty() ? "" : " ") + text;
    LineTranslation result{{text}};
    result.segments = line.text == "two parts" ? 2 : 1;
    if (line.text.find("<b>") != std::string::npos)
      result.words.emplace_back();
    else if (details.words)
      result.words.push_back(
          aligned(text, [&](std::int64_t word) { return std::ssize(source) - 1 - word; }));
    return result;
  }

  std::mutex mutex_;
  std::vector<LaneLine> continued_;
};

/// lit(id) returns the highlighted words, on(i, type) sends an event to a word of the translation.
const std::string word_helpers = R"js(
  const words = () => [...document.querySelectorAll("#translation .word")];
  const lit = (id) => [...byId(id).querySelectorAll(".lit")].map((word) => word.textContent);
  const on = (i, type) => words()[i].dispatchEvent(new PointerEvent(type, { bubbles: true }));
  const press = (key) => document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const items = () => [...document.querySelectorAll("#choices button")];
  await until(() => words().length > 0);
)js";

TEST_F(PageWordsInBrowser, HighlightsTheAlignedWordsOfBothTexts) {
  const auto answer = ask(word_helpers + R"js(
    on(3, "pointerover");
    const pointed = [lit("text-words"), lit("translation")];
    on(3, "pointerout");
    const left = [lit("text-words"), lit("translation")];
    text.focus();
    text.setSelectionRange(5, 5);
    document.dispatchEvent(new Event("selectionchange"));
    const caret = [lit("text-words"), lit("translation")];
    text.blur();
    words()[0].focus();
    const focused = [lit("text-words"), lit("translation")];
    return { text: shown("translation"), same: shown("text-words") === text.value, pointed, left,
             caret, focused };)js",
                          "?source=de&target=en&q=one%20two%0A%0Athree%20four");
  EXPECT_EQ(answer, json::parse(R"({
      "text": "two one\n\nfour three", "same": true,
      "pointed": [["three"], ["three"]], "left": [[], []],
      "caret": [["two"], ["two"]], "focused": [["two"], ["two"]]})"));
}

TEST_F(PageWordsInBrowser, FindsTheSourceWordUnderThePointer) {
  const auto answer = ask(word_helpers + R"js(
    const place = byId("text-words").querySelectorAll(".word")[1].getBoundingClientRect();
    text.dispatchEvent(new PointerEvent("pointermove", {
      clientX: place.x + place.width / 2, clientY: place.y + place.height / 2 }));
    const over = lit("translation");
    text.dispatchEvent(new PointerEvent("pointermove", { clientX: 0, clientY: 0 }));
    return [over, lit("translation")];)js",
                          "?source=de&target=en&q=one%20two");
  EXPECT_EQ(answer, json::parse(R"([["two"], []])"));
}

TEST_F(PageWordsInBrowser, KeepsTheMarksBehindATextThatIsResizedAndScrolled) {
  const auto answer = ask(word_helpers + R"js(
    const copy = byId("text-words");
    const sizes = (node) => [node.offsetHeight, node.clientWidth, node.scrollHeight,
                             node.scrollTop];
    const scroll = (to) => {  // browsers send the event with a frame, which may take its time
      text.scrollTop = to;
      text.dispatchEvent(new Event("scroll"));
    };
    scroll(0);
    const first = [sizes(text), sizes(copy)];
    text.style.minHeight = text.style.height = "60px";
    scroll(1000);
    return [first, [sizes(text), sizes(copy)]];)js",
                          "?source=de&target=en&q=a%0Ab%0Ac%0Ad%0Ae%0Af%0A%0A");
  EXPECT_EQ(answer[0][0], answer[0][1]);
  EXPECT_EQ(answer[1][0], answer[1][1]);
  EXPECT_EQ(answer[1][1][0], 60);
  EXPECT_GT(answer[1][1][3], 0);
}

TEST_F(PageWordsInBrowser, MarksUnsureWordsWithTheirProbability) {
  const auto answer = ask(word_helpers + R"js(
    return words().map((word) => [word.className, word.title,
                                  getComputedStyle(word).textDecorationLine]);)js",
                          "?source=de&target=en&q=sure%20rare%3F");
  EXPECT_EQ(answer, json::parse(R"([
      ["word unsure", "unsure: 25%, for “rare?”", "underline"],
      ["word", "90%, for “sure”", "none"]])"));
}

TEST_F(PageWordsInBrowser, ReplacesTheTranslationByAChosenContinuation) {
  const auto answer = ask(word_helpers + R"js(
    words()[3].click();
    await until(() => items().length > 0);
    const offered = items().map((item) => item.textContent);
    const expanded = words()[3].getAttribute("aria-expanded");
    const source = lit("text-words");
    items()[0].click();
    const word = document.activeElement;
    return { offered, expanded, source, text: shown("translation"), open: !byId("choices").hidden,
             focus: word.textContent, lit: lit("text-words"),
             others: [...document.querySelectorAll("#others button")].map((b) => b.textContent) };
    )js",
                          "?source=auto&target=en&q=a%20b%0Ac%20d%20e");
  EXPECT_EQ(answer, json::parse(R"({
      "offered": ["other 90% end", "rare? 25% "], "expanded": "true", "source": ["d"],
      "text": "b a\ne other end", "open": false, "focus": "other", "lit": ["c"],
      "others": ["b a\ne d c"]})"));
  ASSERT_EQ(continued_.size(), 1U);
  EXPECT_EQ(continued_[0].text, "c d e");
  EXPECT_EQ(continued_[0].details.prefix, "e");
}

TEST_F(PageWordsInBrowser, FindsTheWordsOfALineAfterOneWithoutWords) {
  const auto answer = ask(word_helpers + R"js(
    const before = words()[0].previousSibling.textContent;
    on(1, "pointerover");
    const pointed = words().map((word) => word.className);
    words()[1].click();
    await until(() => items().length > 0);
    items()[0].click();
    return { before, pointed, text: shown("translation"), focus: document.activeElement.textContent,
             source: [...document.querySelectorAll("#text-words .word")].map((w) => w.textContent)};
    )js",
                          "?source=de&target=en&q=%3Cb%3Ea%3C/b%3E%20b%0A%0Ab%20a");
  EXPECT_EQ(answer, json::parse(R"({"before": "b <b>a</b>\n\n", "pointed": ["word", "word lit"],
      "text": "b <b>a</b>\n\na other end", "focus": "other",
      "source": ["<b>a</b>", "b", "b", "a"]})"));
  ASSERT_EQ(continued_.size(), 1U);
  EXPECT_EQ(continued_[0].text, "b a");
  EXPECT_EQ(continued_[0].details.prefix, "a");
}

TEST_F(PageWordsInBrowser, ContinuesTheShownTranslationWhileAnotherLanguageIsAwaited) {
  const auto lane = models_->at(0).text;
  models_ = std::make_shared<const ServedModels>(
      std::vector<ServedModel>{{{"de", "en"}, lane, lane, ""}, {{"de", "fr"}, lane, lane, ""}});
  const auto answer = ask(word_helpers + R"js(
    const real = window.fetch;
    const sent = [];
    window.fetch = (path, options) => {
      if (path === "translate") return new Promise(() => {});
      sent.push(JSON.parse(options.body));
      return real(path, options);
    };
    choose("target", "fr");
    words()[0].click();
    await until(() => items().length > 0);
    return sent.map(({ source, target }) => [source, target]);)js",
                          "?source=auto&target=en&q=a%20b");
  EXPECT_EQ(answer, json::parse(R"([["de", "en"]])"));
}

TEST_F(PageWordsInBrowser, ChoosesWordsByTheKeyboard) {
  const auto answer = ask(word_helpers + R"js(
    const stops = () => words().map((word) => word.tabIndex);
    const first = stops();
    words()[0].focus();
    press("ArrowRight");
    const moved = [document.activeElement.textContent, ...stops()];
    press("Enter");
    await until(() => items().length > 0);
    const inMenu = [document.activeElement === items()[0]];
    press("ArrowDown");
    inMenu.push(document.activeElement === items()[1]);
    press("ArrowDown");
    inMenu.push(document.activeElement === items()[0]);
    press("Escape");
    return { first, moved, inMenu, closed: byId("choices").hidden,
             focus: document.activeElement.textContent };)js",
                          "?source=de&target=en&q=a%20b");
  EXPECT_EQ(answer, json::parse(R"({"first": [0, -1], "moved": ["a", -1, 0],
                                     "inMenu": [true, true, true], "closed": true,
                                     "focus": "a"})"));
}

TEST_F(PageWordsInBrowser, SaysWhyThereAreNoOtherWords) {
  const auto note = [&](const std::string& query) {
    return ask(word_helpers + R"js(
      words()[0].click();
      await until(() => !/^(Looking.*)?$/.test(shown("choices")));
      return shown("choices");)js",
               "?source=de&target=en&q=" + query)
        .get<std::string>();
  };
  EXPECT_THAT(note("two%20parts"), HasSubstr("translated in several parts"));
  EXPECT_EQ(note("fail%20now"), "the prefix is wrong");
}

TEST_F(PageWordsInBrowser, ForgetsTheWordsOfATextThatIsEdited) {
  const auto answer = ask(word_helpers + R"js(
    words()[0].click();
    type("c");
    const edited = [byId("text-words").childNodes.length, byId("choices").hidden];
    await until(() => shown("translation") === "c");
    byId("html").click();
    await until(() => words().length === 0 && shown("translation") === "c");
    return { edited, hint: byId("words-hint").hidden };)js",
                          "?source=de&target=en&q=a%20b");
  EXPECT_EQ(answer, json::parse(R"({"edited": [0, true], "hint": true})"));
}

}  // namespace
}  // namespace tfm
