#include <gmock/gmock.h>

#include "page_in_browser.h"

namespace tfm {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using PageFilesInBrowser = PageInBrowser;

/// Gives the probe drop(id, name, content, type), which drops a file on an element, and
/// chosen(name, content), which chooses it.
const std::string file_helpers = R"js(
  const transfer = (name, content, type = "") => {
    const data = new DataTransfer();
    data.items.add(new File([content], name, { type }));
    return data;
  };
  const drop = (id, ...file) => byId(id).dispatchEvent(new DragEvent("drop", {
    dataTransfer: transfer(...file), bubbles: true, cancelable: true }));
  const chosen = (...file) => {
    byId("file").files = transfer(...file).files;
    byId("file").dispatchEvent(new Event("change"));
  };
  const link = () => document.querySelector("#file-done a");
)js";

TEST_F(PageFilesInBrowser, TranslatesADroppedDocumentAndLinksIt) {
  options.url_prefix = "/mt";
  const auto answer = ask(file_helpers + R"js(
    choose("source", "de");
    drop("languages", "brief.html", "<p>ein Haus</p>");
    const running = { state: shown("file-state"), shown: !byId("file-running").hidden };
    await until(link);
    const reply = await fetch(link().href);
    return { running, label: link().textContent, text: await reply.text(),
             name: reply.headers.get("Content-Disposition").split(";")[1],
             after: [shown("file-state"), byId("file-running").hidden] };)js");
  EXPECT_EQ(answer["running"], json::parse(R"({"state": "Translating brief.html …",
                                                "shown": true})"));
  EXPECT_EQ(answer["label"], "Download the translation of brief.html (English)");
  EXPECT_EQ(answer["text"], "<p>[ein Haus]</p>");
  EXPECT_EQ(answer["name"], " filename=\"brief_en.html\"");
  EXPECT_EQ(answer["after"], json::parse(R"(["", true])"));
}

TEST_F(PageFilesInBrowser, TranslatesAChosenDocumentAfterAnother) {
  const auto answer = ask(file_helpers + R"js(
    choose("source", "de");
    chosen("a.txt", "eins");
    chosen("b.txt", "zwei");
    await until(link);
    return { text: await (await fetch(link().href)).text(), value: byId("file").value };)js");
  EXPECT_EQ(answer, json::parse(R"({"text": "[zwei]", "value": ""})"));
}

TEST_F(PageFilesInBrowser, PutsADroppedTextIntoTheText) {
  const auto answer = ask(file_helpers + R"js(
    choose("source", "de");
    drop("text", "a.txt", "ein Haus", "text/plain");
    await until(() => shown("translation") !== "");
    return [shown("translation"), link()];)js");
  EXPECT_EQ(answer, json::parse(R"(["[ein Haus]", null])"));
}

TEST_F(PageFilesInBrowser, SaysWhyAFileIsNotTranslated) {
  options.limits.body_bytes = 2000;
  const auto answer = ask(file_helpers + R"js(
    choose("source", "de");
    const problems = [];
    for (const file of [["a.xyz", "x"], ["a.txt", "x".repeat(3000)], ["a.docx", "x"],
                        ["b.txt", "fail"]]) {
      const before = shown("file-problem");
      chosen(...file);
      await until(() => shown("file-problem") !== "" && shown("file-problem") !== before);
      problems.push(shown("file-problem"));
    }
    chosen("c.txt", "gut");
    await until(link);
    return { problems, hidden: byId("file-problem").hidden };)js");
  const auto& problems = answer["problems"];
  EXPECT_EQ(problems[0], "a.xyz has no format that the service knows.");
  EXPECT_EQ(problems[1],
            "a.txt is too large: it has 0.003 MiB, and the service accepts 0.002 MiB.");
  EXPECT_THAT(problems[2].get<std::string>(), HasSubstr("is not a complete zip archive"));
  EXPECT_THAT(problems[3].get<std::string>(), HasSubstr("b.txt: the translation failed"));
  EXPECT_EQ(answer["hidden"], true);
}

TEST_F(PageFilesInBrowser, LinksATranslationWithTheLanguageThatWasSent) {
  const auto answer = ask(file_helpers + R"js(
    choose("source", "en");
    choose("target", "it");
    chosen("a.txt", "one");
    choose("target", "de");
    await until(link);
    return link().textContent;)js");
  EXPECT_EQ(answer, "Download the translation of a.txt (Italian)");
}

TEST_F(PageFilesInBrowser, LeavesTextThatIsDroppedIntoAnotherFieldToTheBrowser) {
  const auto answer = ask(file_helpers + R"js(
    choose("source", "de");
    const dropped = (id) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData("text/plain", "ein Haus");
      const event = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
      byId(id).dispatchEvent(event);
      return event.defaultPrevented;
    };
    const isTaken = ["suggestion", "key", "text"].map(dropped);
    await until(() => shown("translation") !== "");
    return { isTaken, translation: shown("translation") };)js");
  EXPECT_EQ(answer, json::parse(R"({"isTaken": [false, false, true],
                                     "translation": "[ein Haus]"})"));
}

TEST_F(PageFilesInBrowser, KeepsTheReasonOfAFileThatReplacesOneInFlight) {
  const auto answer = ask(file_helpers + R"js(
    let isAborted = false;
    window.fetch = (path, options) => new Promise((_, reject) => {
      options.signal.addEventListener("abort", () => {
        reject(options.signal.reason);
        isAborted = true;
      });
    });
    chosen("a.txt", "eins");
    chosen("b.xyz", "zwei");
    await until(() => isAborted);
    await new Promise((done) => setTimeout(done));  // after all promises of the first file
    return { problem: shown("file-problem"), running: !byId("file-running").hidden };)js");
  EXPECT_EQ(answer, json::parse(R"({"problem": "b.xyz has no format that the service knows.",
                                     "running": false})"));
}

TEST_F(PageFilesInBrowser, CancelsAFileWhoseReplyHasBegun) {
  const auto answer = ask(file_helpers + R"js(
    let hasBegun = false;
    window.fetch = async (path, { signal }) => ({ ok: true, status: 200, headers: new Headers(),
      json: () => new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        hasBegun = true;
      }) });
    drop("file-card", "a.txt", "eins");
    await until(() => hasBegun);
    byId("file-cancel").click();
    await until(() => byId("file-running").hidden);
    return shown("file-problem");)js");
  EXPECT_EQ(answer, "");
}

TEST_F(PageFilesInBrowser, CancelsAFile) {
  const auto answer = ask(file_helpers + R"js(
    const real = window.fetch;
    window.fetch = (path, options) => new Promise((_, reject) => {
      options.signal.addEventListener("abort", () => reject(options.signal.reason));
    });
    drop("file-card", "a.txt", "eins");
    byId("file-cancel").click();
    await until(() => byId("file-running").hidden);
    window.fetch = real;
    return { problem: byId("file-problem").hidden, focus: document.activeElement.id };)js");
  EXPECT_EQ(answer, json::parse(R"({"problem": true, "focus": "file"})"));
}

}  // namespace
}  // namespace tfm
