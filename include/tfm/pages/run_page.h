// A training run as a page: one self-contained HTML file that loads nothing, with its curves,
// translations of the same lines through time, facts and config. It is made of plain numbers and
// text, any of which may hold markup: they travel as JSON and enter the document as text only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tfm {

/// One line of a chart: (step, value), steps rising. A value that is no finite number interrupts
/// the line.
struct RunCurve {
  std::string name;
  std::vector<std::pair<std::int64_t, double>> points;
};

struct RunChart {
  std::string title;
  std::string hint;  ///< what is measured, a sentence
  std::vector<RunCurve> curves;
};

/// A line of the validation text and what the model made of it, validation after validation.
struct RunSample {
  std::string source;
  std::string reference;
  std::vector<std::pair<std::int64_t, std::string>> hypotheses;
};

struct RunPageData {
  std::string name;
  /// the page asks for itself anew every minute
  bool running = false;
  std::vector<std::pair<std::string, std::string>> facts;  ///< "Best step" and "1000"
  std::vector<RunChart> charts;
  std::vector<RunSample> samples;
  std::optional<std::int64_t> best_step;  ///< marked in every chart
  std::string config;                     ///< YAML
};

std::string run_page_html(const RunPageData& report);

}  // namespace tfm
