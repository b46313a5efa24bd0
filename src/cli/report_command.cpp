#include "report_command.h"

#include "common_options.h"
#include "output.h"
#include "tfm/run/run_page.h"

namespace tfm {
namespace {

constexpr const char* report_help = R"(Example:
  tfm report runs/multi30k_de_en

Writes report.html into a run folder: curves, translations of the same lines through time, )"
                                    R"(facts, config. Training does so by itself at
each validation.)";

void add_options(CLI::App& app, ReportOptions& options) {
  app.add_option("run", options.run, "Run folder")->required()->type_name("FOLDER");
}

}  // namespace

int run_report(const ReportOptions& options) {
  write_run_page(options.run);
  Output output;
  output.line((options.run / page_file).string());
  output.finish();
  return 0;
}

Command report_command(Run<ReportOptions> run) {
  return {.name = "report",
          .group = {},
          .summary = report_help,
          .prepare = with_options<ReportOptions>(add_options, std::move(run))};
}

}  // namespace tfm
