// `tfm report`: writes the HTML report of a run.
#pragma once

#include <filesystem>

#include "tfm/help/command.h"

namespace tfm {

struct ReportOptions {
  std::filesystem::path run;
};

int run_report(const ReportOptions& options);
Command report_command(Run<ReportOptions> run = run_report);

}  // namespace tfm
