#include "report_command.h"

#include "common_options.h"
#include "output.h"
#include "tfm/run/run_page.h"

namespace tfm {
namespace {

void add_options(CLI::App& app, ReportOptions& options) {
  app.add_option("FOLDER", options.run, "Run folder")->required()->type_name("FOLDER");
}

}  // namespace

int run_report(const ReportOptions& options) {
  write_run_page(options.run);
  print_result((options.run / page_file).string() + "\n");
  return 0;
}

Command report_command(Run<ReportOptions> run) {
  return {.name = "report",
          .group = {},
          .section = "Evaluate",
          .summary = "Writes the HTML report of a run",
          .details =
              "report.html shows the curves of the run, the translations of sample lines over "
              "time, facts and the config. Training writes it at each validation.",
          .examples = {"tfm report runs/multi30k_de_en", "tfm report runs/cafe"},
          .read_more = "docs/training.md",
          .prepare = with_options<ReportOptions>(add_options, std::move(run))};
}

}  // namespace tfm
