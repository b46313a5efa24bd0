#include "average_command.h"

#include "common_options.h"
#include "output.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/training/averaging.h"

namespace tfm {
namespace {

constexpr const char* average_help = R"(Examples:
  tfm average runs/multi30k_de_en --last 5 -o runs/average
  tfm average runs/a runs/b runs/a/checkpoints/step-00001000 -o runs/average

Makes a model folder whose weights are the mean of others': of a run's checkpoints, or of the )"
                                     R"(named models and checkpoints.)";

void add_options(CLI::App& app, AverageOptions& options) {
  app.add_option("folders", options.folders,
                 "One run folder, or several model folders and checkpoints")
      ->required()
      ->type_name("FOLDER");
  add_output_folder_option(app, options.output, "The model folder to make");
  auto* last = app.add_option("--last", options.last,
                              "Of a run: its newest N checkpoints; default: all that are kept");
  auto* best = app.add_option("--best", options.best,
                              "Of a run: the N kept checkpoints whose validations scored best");
  for (auto* count : {last, best}) count->check(CLI::Range(1, 100000))->type_name("N");
  last->excludes(best);
}

}  // namespace

int run_average(const AverageOptions& options) {
  const bool of_run = options.folders.size() == 1;
  if (!of_run && options.last + options.best > 0) {
    throw ConfigError("--last, --best",
                      "choose among one run's checkpoints, but several folders are named",
                      "Name one run folder, or leave them out.");
  }
  const auto chosen = of_run ? select_checkpoints(options.folders.front(),
                                                  {.last = options.last, .best = options.best})
                             : options.folders;
  for (const auto& folder : chosen) log_info("averaging {}", folder.string());
  average_models(chosen, options.output);
  Output output;
  output.line(options.output.string());
  output.finish();
  return 0;
}

Command average_command(Run<AverageOptions> run) {
  return {.name = "average",
          .group = {},
          .summary = average_help,
          .prepare = with_options<AverageOptions>(add_options, std::move(run))};
}

}  // namespace tfm
