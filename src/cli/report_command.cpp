#include "report_command.h"

#include <map>

#include "common_options.h"
#include "output.h"
#include "tfm/core/atomic_file.h"
#include "tfm/run/run_comparison.h"
#include "tfm/run/run_page_file.h"

namespace tfm {
namespace {

void add_options(CLI::App& app, ReportOptions& options) {
  app.add_option("FOLDER", options.runs, "Run folder; several folders are compared on one page")
      ->required()
      ->type_name("FOLDER");
  app.add_option("-o,--output", options.output,
                 "File to write (default: report.html in the run folder, or comparison.html in the "
                 "current folder for several runs)")
      ->type_name("FILE");
}

/// Reads the runs. Runs with the same name are named by their paths, as the user wrote them.
std::vector<RunPageData> read_runs(const std::vector<std::filesystem::path>& folders) {
  std::vector<RunPageData> runs;
  for (const auto& folder : folders) runs.push_back(read_run(folder));
  std::map<std::string, int> counts;
  for (const auto& run : runs) ++counts[run.name];
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (counts[runs[i].name] > 1) runs[i].name = folders[i].string();
  return runs;
}

}  // namespace

int run_report(const ReportOptions& options) {
  const bool compares = options.runs.size() > 1;
  const auto file = !options.output.empty() ? options.output
                    : compares              ? std::filesystem::path("comparison.html")
                                            : options.runs.front() / page_file;
  const auto runs = read_runs(options.runs);
  write_file(file, run_page_html(compares ? compare_runs(runs) : runs.front()));
  print_result(file.string() + "\n");
  return 0;
}

Command report_command(Run<ReportOptions> run) {
  return {.name = "report",
          .group = {},
          .section = "Evaluate",
          .summary = "Writes the HTML report of a run, or compares several runs",
          .details =
              "report.html shows the curves of the run, the translations of sample lines over "
              "time, facts and the config. Training writes it at each validation. The page of "
              "several runs shows their curves in the same charts, their best scores, and the "
              "settings that differ.",
          .examples = {"tfm report runs/cafe", "tfm report runs/small runs/large -o sizes.html"},
          .read_more = "docs/training.md",
          .prepare = with_options<ReportOptions>(add_options, std::move(run))};
}

}  // namespace tfm
