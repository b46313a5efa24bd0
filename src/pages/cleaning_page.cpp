#include "tfm/pages/cleaning_page.h"

#include <nlohmann/json.hpp>

#include "page_files.h"
#include "page_template.h"

namespace tfm {
namespace {

nlohmann::json rule_json(const CleaningPageRule& rule) {
  auto examples = nlohmann::json::array();
  for (const auto& example : rule.examples) {
    examples.push_back(
        {{"line", example.line}, {"source", example.source}, {"target", example.target}});
    if (example.score) examples.back()["score"] = *example.score;
  }
  return {{"name", rule.name},   {"summary", rule.summary}, {"value", rule.value},
          {"is_on", rule.is_on}, {"dropped", rule.dropped}, {"examples", std::move(examples)}};
}

}  // namespace

std::string cleaning_page_html(const CleaningPageData& data) {
  nlohmann::json document = {{"name", data.name},
                             {"pairs", data.pairs},
                             {"kept", data.kept},
                             {"source_language", data.source_language},
                             {"target_language", data.target_language},
                             {"facts", data.facts},
                             {"rules", nlohmann::json::array()},
                             {"generated", data.generated}};
  for (const auto& rule : data.rules) document["rules"].push_back(rule_json(rule));
  const std::string script =
      escape_for_script(document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  return fill_template(cleaning_html_file, {{"policy", inline_policy},
                                            {"page.css", page_css_file},
                                            {"report.css", report_css_file},
                                            {"cleaning.css", cleaning_css_file},
                                            {"page.js", page_js_file},
                                            {"theme.js", theme_js_file},
                                            {"cleaning.js", cleaning_js_file},
                                            {"cleaning", script}});
}

}  // namespace tfm
