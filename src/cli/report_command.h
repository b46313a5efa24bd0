// `tfm report`: writes the HTML report of a run, or a page that compares several runs.
#pragma once

#include <filesystem>
#include <vector>

#include "tfm/help/command.h"

namespace tfm {

struct ReportOptions {
  std::vector<std::filesystem::path> runs;
  std::filesystem::path output;  ///< if empty, report.html or comparison.html is written
};

int run_report(const ReportOptions& options);
Command report_command(Run<ReportOptions> run = run_report);

}  // namespace tfm
