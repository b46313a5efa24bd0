// Shows a training run, or a comparison of runs, on a self-contained HTML page that loads no other
// files. The page has curves, translations of the same lines over time, facts and the config.
// The input is plain numbers and text.
// Text may contain markup, because the page stores all text as JSON and inserts it as plain text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tfm {

/// A curve of a chart: points (step, value) in increasing order of steps. A value that is not
/// finite interrupts the curve.
struct RunCurve {
  std::string name;
  std::vector<std::pair<std::int64_t, double>> points;
};

struct RunChart {
  std::string title;
  std::string hint;  ///< a sentence that explains the values
  std::vector<RunCurve> curves;
};

/// A line of the validation set with its translations (step, text), in order of the validations.
struct RunSample {
  std::string source;
  std::string reference;
  std::vector<std::pair<std::int64_t, std::string>> hypotheses;
};

/// A table with one column per run.
struct RunTable {
  struct Row {
    std::string name;
    std::vector<std::string> values;  ///< one value per column
  };
  std::string title;
  std::string hint;
  std::vector<std::string> columns;  ///< the names of the runs
  std::vector<Row> rows;
};

struct RunPageData {
  std::string name;
  /// the state of the run, such as "finished: max_steps 1000 reached"; the first word is shown as a
  /// badge
  std::string state;
  /// whether the run is in progress; the page then reloads itself every minute
  bool running = false;
  /// pairs of name and value, such as {"Best step", "1,000"} or {"BLEU", "41.20"}
  std::vector<std::pair<std::string, std::string>> results;
  /// pairs of name and value, such as {"Parameters", "1,118,208"} or {"Device", "CPU"}
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<RunTable> tables;  ///< comparisons of several runs
  std::vector<RunChart> charts;
  std::vector<RunSample> samples;
  std::optional<std::int64_t> best_step;  ///< the step of the best model, marked in every chart
  /// config fields that differ from the defaults, and their values
  std::vector<std::pair<std::string, std::string>> settings;
  std::string config;     ///< the config of the run as YAML
  std::string generated;  ///< the time at which the page was generated
};

/// Returns the HTML of the page.
std::string run_page_html(const RunPageData& data);

}  // namespace tfm
