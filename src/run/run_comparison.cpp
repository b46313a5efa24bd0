#include "tfm/run/run_comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "tfm/config/fields.h"

namespace tfm {
namespace {

using NamedValues = std::vector<std::pair<std::string, std::string>>;

/// Writes the values of one run to its column of the table. Each new name adds a row, in which the
/// other runs have the value missing(name).
template <class Missing>
void add_column(RunTable& table, std::size_t column, const NamedValues& values, Missing missing) {
  for (const auto& [name, value] : values) {
    auto row = std::ranges::find(table.rows, name, &RunTable::Row::name);
    if (row == table.rows.end()) {
      const std::vector others(table.columns.size(), missing(name));
      row = table.rows.insert(row, {name, others});
    }
    row->values.at(column) = value;
  }
}

std::vector<std::string> run_names(const std::vector<RunPageData>& runs) {
  std::vector<std::string> names;
  for (const auto& run : runs) names.push_back(run.name);
  return names;
}

RunTable make_summary(const std::vector<RunPageData>& runs) {
  RunTable table{"Summary", "The scores are those of each run's best model.", run_names(runs), {}};
  const auto unknown = [](const std::string&) { return std::string("–"); };
  for (std::size_t i = 0; i < runs.size(); ++i) {
    add_column(table, i, {{"State", runs[i].state}}, unknown);
    add_column(table, i, runs[i].results, unknown);
  }
  for (std::size_t i = 0; i < runs.size(); ++i) add_column(table, i, runs[i].facts, unknown);
  return table;
}

RunTable make_settings(const std::vector<RunPageData>& runs) {
  RunTable table{
      "Settings that differ", "Config fields with different values.", run_names(runs), {}};
  const auto default_value = [](const std::string& key) {
    const auto* field = find_field(key);
    return field == nullptr ? std::string("–") : field->get({});
  };
  for (std::size_t i = 0; i < runs.size(); ++i)
    add_column(table, i, runs[i].settings, default_value);
  std::erase_if(table.rows, [](const RunTable::Row& row) {
    return std::ranges::all_of(row.values,
                               [&](const std::string& value) { return value == row.values[0]; });
  });
  return table;
}

/// Returns the names of the curves that the runs have in charts with this title.
std::set<std::string> curve_names(const std::vector<RunPageData>& runs, const std::string& title) {
  std::set<std::string> names;
  for (const auto& run : runs) {
    for (const auto& chart : run.charts) {
      if (chart.title != title) continue;
      for (const auto& curve : chart.curves) names.insert(curve.name);
    }
  }
  return names;
}

std::vector<RunChart> compare_charts(const std::vector<RunPageData>& runs) {
  std::vector<RunChart> charts;
  for (const auto& run : runs) {
    for (const auto& chart : run.charts) {
      const bool has_one = curve_names(runs, chart.title).size() == 1;
      for (const auto& curve : chart.curves) {
        const auto title = has_one ? chart.title : chart.title + ": " + curve.name;
        auto found = std::ranges::find(charts, title, &RunChart::title);
        if (found == charts.end()) found = charts.insert(found, {title, chart.hint, {}});
        found->curves.push_back({run.name, curve.points});
      }
    }
  }
  return charts;
}

}  // namespace

RunPageData compare_runs(const std::vector<RunPageData>& runs) {
  RunPageData page;
  page.name = fmt::format("{}", fmt::join(run_names(runs), ", "));
  page.tables = {make_summary(runs), make_settings(runs)};
  if (page.tables.back().rows.empty()) page.tables.pop_back();
  page.charts = compare_charts(runs);
  if (!runs.empty()) page.generated = runs.front().generated;
  return page;
}

}  // namespace tfm
