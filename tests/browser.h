// Finds Chromium and opens a page in it. A script that the test adds to the page inspects the
// result of the page's own scripts.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>

#include "temporary_folder.h"

namespace tfm {

/// Returns the first Chromium program on PATH, or an empty string.
inline std::string find_browser() {
  const char* path = std::getenv("PATH");
  for (const char* name :
       {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}) {
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
      const auto file = std::filesystem::path(folder) / name;
      if (std::filesystem::exists(file)) return file.string();
    }
  }
  return "";
}

/// What the answer of a probe begins with in the document that the browser returns.
inline constexpr std::string_view answer_prefix = "probe-answer:";

/// Returns a script that replaces the document by the answer of `probe`, the body of an async
/// JavaScript function.
inline std::string probe_script(const std::string& probe) {
  // The answer is ASCII without markup, so the dumped document contains it unchanged.
  return "(async () => {" + probe +
         "})().catch((error) => ({ probe_failed: String(error) })).then((answer) => {\n"
         "  const { ready, error } = document.documentElement.dataset;\n"
         "  const whole = { answer: answer ?? null, ready: ready ?? null, error: error ?? null };\n"
         "  document.body.textContent = '" +
         std::string(answer_prefix) +
         "' + JSON.stringify(whole).replace(/[^ -~]|[<>&]/g, (c) => '\\\\u' + "
         "c.charCodeAt(0).toString(16).padStart(4, '0')) + '\\n';\n"
         "});";
}

/// Opens an address whose document has a probe_script. Returns {answer, ready, error}: the result
/// of the probe, the page's ready flag, and the error of a failed script or null.
inline nlohmann::json ask_browser_at(const std::string& address) {
  const TemporaryFolder folder;
  const std::string command = "timeout 120 '" + find_browser() +
                              "' --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage "
                              "--window-size=1200,900 --virtual-time-budget=5000 "
                              "--user-data-dir='" +
                              folder.path("profile").string() + "' --dump-dom '" + address +
                              "' >'" + folder.path("dom").string() + "' 2>'" +
                              folder.path("log").string() + "'";
  const int status = std::system(command.c_str());
  const std::string dom = folder.read("dom");
  const auto begin = dom.rfind(answer_prefix);
  if (begin == std::string::npos || dom.find('\n', begin) == std::string::npos) {
    ADD_FAILURE() << "the browser (status " << status << ") returned no answer:\n"
                  << folder.read("log").substr(0, 3000);
    return {{"answer", nullptr}, {"ready", nullptr}, {"error", "no answer"}};
  }
  const auto answer = begin + answer_prefix.size();
  return nlohmann::json::parse(dom.substr(answer, dom.find('\n', begin) - answer));
}

/// Opens the page with the URL fragment `hash` and runs `probe` in it (probe_script). Returns what
/// ask_browser_at returns.
inline nlohmann::json ask_browser(const std::string& html, const std::string& hash,
                                  const std::string& probe) {
  const TemporaryFolder folder;
  std::string page = html;
  page.insert(page.rfind("</body>"), "<script>" + probe_script(probe) + "</script>");
  return ask_browser_at("file://" + folder.write("page.html", page).string() + hash);
}

}  // namespace tfm
