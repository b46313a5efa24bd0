#include "train_command.h"

#include "common_options.h"
#include "output.h"
#include "tfm/config/config_file.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/log.h"
#include "tfm/distributed/rank_environment.h"
#include "tfm/training/run.h"

namespace tfm {
namespace {

constexpr const char* train_help = R"(Example:
  tfm train --config configs/multi30k_de_en.yaml training.seed=3 training.max_steps=5000

Trains a model as the config file says; section.key=value after it overrides a field. The run )"
                                   R"(folder becomes a model folder.
`tfm config explain KEY` says what a field means.)";

void add_options(CLI::App& app, TrainOptions& options) {
  app.add_option("-c,--config", options.config, "Config file (YAML)")
      ->required()
      ->type_name("FILE");
  app.add_option("overrides", options.overrides, "Fields to override")
      ->type_name("section.key=value");
  app.add_flag("--dry-run", options.dry_run,
               "Train nothing: try the longest batch, some others, a checkpoint and a "
               "translation, and say what the run will take");
  app.add_flag("--resume", options.resume,
               "Go on from the newest checkpoint of the run; begin where there is none");
  for (const Field* field : {&field_of(&Config::training, &TrainingConfig::device),
                             &field_of(&Config::training, &TrainingConfig::threads),
                             &field_of(&Config::training, &TrainingConfig::seed)}) {
    add_field_option(app, *field, "--" + field->name, options.overrides);
  }
}

}  // namespace

int run_train(const TrainOptions& options) {
  install_signal_handlers();
  const auto environment = rank_environment();
  if (environment.size > 1) set_log_rank(environment.rank);
  const TrainRequest request{.config = load_config(options.config, options.overrides),
                             .name = options.config.stem().string(),
                             .resume = options.resume};
  if (options.dry_run) {
    if (environment.size > 1)
      throw ConfigError("--dry-run", "runs as one process",
                        "Leave out tfm launch, torchrun or srun.");
    const auto report = dry_run(request);
    Output output;
    output.write(report);
    output.finish();
    return 0;
  }
  train(request, environment);
  return 0;
}

Command train_command(Run<TrainOptions> run) {
  return {.name = "train",
          .group = {},
          .summary = train_help,
          .prepare = with_options<TrainOptions>(add_options, std::move(run))};
}

}  // namespace tfm
