// Finds Chromium and opens a page in it. A script that the test adds to the page inspects the
// result of the page's own scripts.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

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

/// Opens the page with the URL fragment `hash` and runs `probe`, the body of an async JavaScript
/// function. Returns {answer, ready, error}: the result of `probe`, the page's ready flag, and the
/// error of a failed script or null.
inline nlohmann::json ask_browser(const std::string& html, const std::string& hash,
                                  const std::string& probe) {
  static const std::string prefix = "probe-answer:";
  const TemporaryFolder folder;
  // The answer is ASCII without markup, so the dumped document contains it unchanged.
  const std::string script =
      "<script>(async () => {" + probe +
      "})().catch((error) => ({ probe_failed: String(error) })).then((answer) => {\n" +
      "  const whole = { answer: answer ?? null, ready: document.documentElement.dataset.ready ?? "
      "null, error: "
      "document.documentElement.dataset.error "
      "?? null };\n"
      "  document.body.textContent = '" +
      prefix +
      "' + JSON.stringify(whole).replace(/[^ -~]|[<>&]/g, (c) => '\\\\u' + "
      "c.charCodeAt(0).toString(16).padStart(4, '0')) + '\\n';\n"
      "});</script>";
  std::string page = html;
  page.insert(page.rfind("</body>"), script);
  const auto file = folder.write("page.html", page);
  const std::string command = "timeout 120 '" + find_browser() +
                              "' --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage "
                              "--window-size=1200,900 --virtual-time-budget=5000 "
                              "--user-data-dir='" +
                              folder.path("profile").string() + "' --dump-dom 'file://" +
                              file.string() + hash + "' >'" + folder.path("dom").string() +
                              "' 2>'" + folder.path("log").string() + "'";
  const int status = std::system(command.c_str());
  const std::string dom = folder.read("dom");
  const auto begin = dom.rfind(prefix);
  if (begin == std::string::npos || dom.find('\n', begin) == std::string::npos) {
    ADD_FAILURE() << "the browser (status " << status << ") returned no answer:\n"
                  << folder.read("log").substr(0, 3000);
    return {{"answer", nullptr}, {"ready", nullptr}, {"error", "no answer"}};
  }
  return nlohmann::json::parse(
      dom.substr(begin + prefix.size(), dom.find('\n', begin) - begin - prefix.size()));
}

}  // namespace tfm
