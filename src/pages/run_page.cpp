#include "tfm/pages/run_page.h"

#include <nlohmann/json.hpp>

#include "page_files.h"
#include "page_template.h"

namespace tfm {
namespace {

using nlohmann::json;

json charts_json(const std::vector<RunChart>& charts) {
  json all = json::array();
  for (const auto& chart : charts) {
    json curves = json::array();
    for (const auto& curve : chart.curves)
      curves.push_back({{"name", curve.name}, {"points", curve.points}});
    all.push_back({{"title", chart.title}, {"hint", chart.hint}, {"curves", std::move(curves)}});
  }
  return all;
}

json tables_json(const std::vector<RunTable>& tables) {
  json all = json::array();
  for (const auto& table : tables) {
    json rows = json::array();
    for (const auto& row : table.rows) rows.push_back({{"name", row.name}, {"values", row.values}});
    all.push_back({{"title", table.title},
                   {"hint", table.hint},
                   {"columns", table.columns},
                   {"rows", std::move(rows)}});
  }
  return all;
}

json samples_json(const std::vector<RunSample>& samples) {
  json all = json::array();
  for (const auto& sample : samples) {
    all.push_back({{"source", sample.source},
                   {"reference", sample.reference},
                   {"hypotheses", sample.hypotheses}});
  }
  return all;
}

}  // namespace

std::string run_page_html(const RunPageData& data) {
  json document = {{"name", data.name},
                   {"state", data.state},
                   {"running", data.running},
                   {"results", data.results},
                   {"facts", data.facts},
                   {"tables", tables_json(data.tables)},
                   {"charts", charts_json(data.charts)},
                   {"best_step", nullptr},
                   {"samples", samples_json(data.samples)},
                   {"settings", data.settings},
                   {"config", data.config},
                   {"generated", data.generated}};
  if (data.best_step) document["best_step"] = *data.best_step;
  const std::string script =
      escape_for_script(document.dump(-1, ' ', false, json::error_handler_t::replace));
  return fill_template(run_html_file, {{"policy", inline_policy},
                                       {"page.css", page_css_file},
                                       {"report.css", report_css_file},
                                       {"run.css", run_css_file},
                                       {"page.js", page_js_file},
                                       {"theme.js", theme_js_file},
                                       {"chart.js", chart_js_file},
                                       {"run.js", run_js_file},
                                       {"run", script}});
}

}  // namespace tfm
