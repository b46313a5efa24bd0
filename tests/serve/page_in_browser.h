// The page of a service whose lanes answer at once, as its files and in Chromium.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "browser.h"
#include "gated_lane.h"
#include "tfm/serve/http_server.h"
#include "tfm/serve/service.h"

namespace tfm {

/// Returns three candidates for each line.
inline LanePointer lane_with_candidates() {
  return std::make_shared<Lane>([](const LaneLine& line) {
    return LineTranslation{{"1 " + line.text, "2 " + line.text, "3 " + line.text}};
  });
}

/// A service for de to en, en to de, en to it and, by both of the others, de to it.
class PageTest : public testing::Test {
 protected:
  TranslationService& service() {
    if (!service_)
      service_ = std::make_unique<TranslationService>(models_, engine_, metrics_, options,
                                                      [] { return false; });
    return *service_;
  }
  HttpReply get(const std::string& target) {
    HttpReply answer;
    const HttpRequest request{.method = "GET", .target = target, .headers = {}, .body = ""};
    service().handle(request, [&answer](HttpReply reply) { answer = std::move(reply); });
    return answer;
  }
  std::vector<std::string> german_lines() { return german_.wait_for_lines(0); }

  ServiceOptions options;  // of the service, which its first use makes

  GatedLane german_{true};
  GatedLane english_{true};
  LanePointer italian_ = lane_with_candidates();
  std::shared_ptr<const ServedModels> models_ = std::make_shared<const ServedModels>(
      std::vector<ServedModel>{{{"de", "en"}, german_.lane(), german_.lane(), ""},
                               {{"en", "de"}, english_.lane(), english_.lane(), ""},
                               {{"en", "it"}, italian_, italian_, ""}});

 private:
  ServiceMetrics metrics_;
  Engine engine_{EngineOptions{}};
  std::unique_ptr<TranslationService> service_;
};

/// Opens the page of a running service in Chromium. The service adds the probe to the page as one
/// more file, which its Content-Security-Policy allows.
class PageInBrowser : public PageTest {
 protected:
  void SetUp() override {
    if (find_browser().empty())
      GTEST_SKIP() << "Chromium is not on PATH (chromium, chromium-browser, google-chrome): the "
                      "page was not opened";
  }

  /// Opens the page with a query such as "?q=a". In the probe, type(text) and choose(list, code)
  /// act as a user does, until(test) waits, and violations has those of the
  /// Content-Security-Policy.
  nlohmann::json ask(const std::string& probe, const std::string& query = "") {
    const std::string helpers = R"js(
      const violations = [];
      document.addEventListener("securitypolicyviolation",
                                (event) => violations.push(event.violatedDirective));
      const until = async (test) => {
        while (!test()) await new Promise((done) => setTimeout(done, 20));
      };
      const shown = (id) => byId(id).textContent;
      const codes = (id) => [...byId(id).options].map((option) => option.value);
      const type = (words, id = "text") => {
        byId(id).value = words;
        byId(id).dispatchEvent(new Event("input"));
      };
      const choose = (id, code) => {
        byId(id).value = code;
        byId(id).dispatchEvent(new Event("change"));
      };
      await until(() => document.documentElement.dataset.ready);
    )js";
    const auto script = probe_script(helpers + probe);
    HttpServer server({.host = "127.0.0.1", .port = 0}, {});
    std::atomic<bool> stopping = false;
    std::jthread thread([&] {
      server.run([&](const auto& request,
                     const auto& respond) { return answer(request, respond, script); },
                 [&] { return stopping.load(); });
    });
    const auto whole = ask_browser_at("http://127.0.0.1:" + std::to_string(server.port()) +
                                      options.url_prefix + "/" + query);
    stopping = true;
    EXPECT_TRUE(whole["error"].is_null()) << whole["error"];
    return whole["answer"];
  }

 private:
  CancelRequest answer(const HttpRequest& request, const Respond& respond,
                       const std::string& script) {
    if (request.path().ends_with("/probe.js")) {
      respond({.body = script, .content_type = "text/javascript", .headers = {}});
      return {};
    }
    const bool is_page = request.path().find("/download_file/") == std::string::npos;
    return service().handle(request, [respond, is_page](HttpReply reply) {
      if (is_page && reply.content_type.starts_with("text/html"))
        reply.body.insert(reply.body.rfind("</body>"), "<script src=\"probe.js\"></script>");
      respond(std::move(reply));
    });
  }
};

}  // namespace tfm
