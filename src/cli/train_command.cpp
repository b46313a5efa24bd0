#include "train_command.h"

#include "common_options.h"
#include "field_options.h"
#include "output.h"
#include "tfm/config/config_file.h"
#include "tfm/config/named_files.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/log.h"
#include "tfm/distributed/launcher.h"
#include "tfm/distributed/rank_environment.h"
#include "tfm/model/model_files.h"
#include "tfm/training/run.h"

namespace tfm {
namespace {

/// Handles the word that follows --resume. It is the run folder to resume, unless it is an override
/// of a field or the config file. The name of a folder may contain "=".
void take_resume(const std::string& value, TrainOptions& options) {
  options.resume = true;
  if (std::filesystem::is_directory(value)) {
    options.resumed_folder = value;
  } else if (value.find('=') != std::string::npos) {
    options.overrides.push_back(value);
  } else if (options.config.empty() && std::filesystem::is_regular_file(value)) {
    options.config = value;
  } else {
    options.resumed_folder = value;
  }
}

void add_options(CLI::App& app, TrainOptions& options) {
  app.validate_positionals();  // a word with "=" is an override, not a file
  auto* file = app.add_option("config_file", options.config, "Config file (YAML)")
                   ->type_name("FILE")
                   ->check(CLI::Validator(
                       [](const std::string& word) {
                         return word.find('=') == std::string::npos ? "" : "is an override";
                       },
                       ""));
  app.add_option("-c,--config", options.config, "Config file, as an option")
      ->excludes(file)
      ->type_name("FILE");
  add_overrides(app, options.overrides);
  auto* dry_run = app.add_flag(
      "--dry-run", options.dry_run,
      "Do not train: test the longest batch, some others, a checkpoint and a translation, "
      "and estimate time, memory and disk space");
  app.add_option_function<std::string>(
         "--resume", [&options](const std::string& value) { take_resume(value, options); },
         "Resume from the newest checkpoint of the run; without a checkpoint, start the run. "
         "FOLDER names the run if there are several")
      ->expected(0, 1)
      ->type_name("[FOLDER]");
  add_trace_option(app, options.trace, "one update")->excludes(dry_run);
  for (const Field* field : {&field_of(&Config::training, &TrainingConfig::device),
                             &field_of(&Config::training, &TrainingConfig::threads),
                             &field_of(&Config::training, &TrainingConfig::seed)}) {
    add_field_option(app, *field, "--" + field->name, "Config fields", options.overrides);
  }
}

TrainRequest make_request(const TrainOptions& options) {
  const auto& folder = options.resumed_folder;
  if (!folder.empty() && !contains_run(folder))
    throw ConfigError("--resume", folder.string() + " does not contain a run",
                      "Name a folder that holds the config.yaml of a run, or leave the name out.");
  // A run that is named needs no config file: its own says how it is trained.
  const auto file =
      options.config.empty() && !folder.empty() ? folder / config_file : options.config;
  if (file.empty() && options.overrides.empty())
    throw ConfigError("", "tfm train needs a config file or config fields",
                      "Name a file, as in `tfm train my.yaml`; `tfm config init` writes one.");
  const bool has_file = !file.empty();
  TrainRequest request{.config = has_file ? load_config(file, options.overrides)
                                          : parse_config("", "command line", options.overrides),
                       .name = has_file ? file.stem().string() : "train",
                       .resume = options.resume,
                       .trace = options.trace};
  if (folder.empty()) return request;
  request.config.training.run_folder = folder;
  return request;
}

/// Trains as one rank and returns the exit code. Under `tfm launch`, a rank that lost contact with
/// the others logs no error, because the rank that ended first has logged the cause.
int train_rank(const TrainRequest& request, const RankEnvironment& environment) {
  try {
    train(request, environment);
    return 0;
  } catch (const LostContactError& error) {
    if (!environment.started_by_tfm) throw;
    log_debug("{}", error.what());
    return lost_contact_code;
  }
}

ConfigError no_dry_run_of_ranks() {
  return {"--dry-run", "runs as a single process",
          "Start it without tfm launch, torchrun or srun."};
}

}  // namespace

void check_launched_train(const TrainOptions& options, int ranks) {
  const auto request = make_request(options);
  if (options.dry_run) throw no_dry_run_of_ranks();
  const auto files = list_named_files(request.config, /*resumes=*/true);
  require_readable(files);
  require_shareable(files, ranks);
}

int run_train(const TrainOptions& options) {
  install_signal_handlers();
  const auto environment = rank_environment();
  if (environment.size > 1) set_log_rank(environment.rank);
  if (environment.rank == 0) show_log_dates();
  // Among several ranks, a rank that ends may close the pipes of the others.
  if (environment.size == 1) install_broken_pipe_handler();
  const auto request = make_request(options);
  if (options.dry_run) {
    if (environment.size > 1) throw no_dry_run_of_ranks();
    const auto report = dry_run(request);
    print_result(report);
    return 0;
  }
  return train_rank(request, environment);
}

Command train_command(Run<TrainOptions> run) {
  return {
      .name = "train",
      .group = {},
      .section = "Train",
      .summary = "Trains a model as a config file describes",
      .details =
          "The run folder (training.run_folder, or runs/NAME for NAME.yaml, or runs/train "
          "without a file) becomes a model folder. Ctrl-C saves a checkpoint before the program "
          "ends.",
      .examples = {"tfm train my.yaml --dry-run",
                   "tfm train my.yaml training.seed=3 training.max_steps=5000"},
      .read_more = "docs/training.md, `tfm config explain KEY` for the fields of a config",
      .prepare = with_options<TrainOptions>(add_options, std::move(run)),
      .advise_on_option = advise_override};
}

}  // namespace tfm
