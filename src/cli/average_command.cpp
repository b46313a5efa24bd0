#include "average_command.h"

#include "common_options.h"
#include "output.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/run/checkpoint_store.h"
#include "tfm/training/averaging.h"

namespace tfm {
namespace {

void add_options(CLI::App& app, AverageOptions& options) {
  app.add_option("FOLDER", options.folders,
                 "A run folder, whose checkpoints are averaged, or model folders and checkpoints")
      ->required()
      ->type_name("FOLDER");
  add_output_folder_option(app, options.output, "The model folder to create");
  auto* last = app.add_option("--last", options.last,
                              "The newest N checkpoints of the run; without it, all kept ones");
  auto* best = app.add_option("--best", options.best,
                              "The N kept checkpoints of the run with the best validation scores");
  for (auto* count : {last, best}) count->check(whole_number(1, 100000))->type_name("N");
  last->excludes(best);
}

/// Returns the folders of the models to average: the checkpoints of a single run, or the folders
/// that the command line names.
std::vector<std::filesystem::path> choose_models(const AverageOptions& options) {
  const bool selects = options.last + options.best > 0;
  if (selects && options.folders.size() > 1) {
    throw ConfigError("--last, --best",
                      "select checkpoints of one run, but several folders are given",
                      "Give one run folder, or leave out --last and --best.");
  }
  const auto& first = options.folders.front();
  const bool is_run = options.folders.size() == 1 && !CheckpointStore(first).list().empty();
  if (!selects && !is_run) return options.folders;
  return select_checkpoints(first, {.last = options.last, .best = options.best});
}

}  // namespace

int run_average(const AverageOptions& options) {
  const auto chosen = choose_models(options);
  if (chosen.size() == 1) {
    log_info("one model: copying {}", chosen.front().string());
  } else {
    for (const auto& folder : chosen) log_info("averaging {}", folder.string());
  }
  average_models(chosen, options.output);
  print_result(options.output.string() + "\n");
  return 0;
}

Command average_command(Run<AverageOptions> run) {
  return {.name = "average",
          .group = {},
          .section = "Models",
          .summary = "Averages the weights of checkpoints or models",
          .details =
              "The result is a new model folder. All models must have the same architecture "
              "and vocabularies. A single model is copied, so a checkpoint becomes a model folder.",
          .examples = {"tfm average runs/multi30k_de_en --last 5 -o runs/average",
                       "tfm average runs/a/checkpoints/step-00001000 -o runs/early"},
          .read_more = "docs/training.md",
          .prepare = with_options<AverageOptions>(add_options, std::move(run))};
}

}  // namespace tfm
