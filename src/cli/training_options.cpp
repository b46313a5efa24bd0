#include <memory>

#include "command_options.h"
#include "tfm/config/fields.h"

namespace tfm {
namespace {

constexpr const char* train_help = R"(Example:
  tfm train --config configs/multi30k_de_en.yaml training.seed=3 training.max_steps=5000

Trains a model as the config file says; section.key=value after it overrides a field. The run )"
                                   R"(folder becomes a model folder.
`tfm config explain KEY` says what a field means.)";

constexpr const char* launch_help = R"(Example:
  tfm launch --nproc 2 train --config configs/demo.yaml training.threads=1

Trains with N processes of this machine, each on its share of the batches (and on a GPU of its )"
                                    R"(own where there are GPUs).
One process that fails ends all. Several machines: torchrun or srun, see docs/scaling.md.)";

constexpr const char* report_help = R"(Example:
  tfm report runs/multi30k_de_en

Writes report.html into a run folder: curves, translations of the same lines through time, )"
                                    R"(facts, config. Training does so by itself at
each validation.)";

constexpr const char* average_help = R"(Examples:
  tfm average runs/multi30k_de_en --last 5 -o runs/average
  tfm average runs/a runs/b runs/a/checkpoints/step-00001000 -o runs/average

Makes a model folder whose weights are the mean of others': of a run's checkpoints, or of the )"
                                     R"(named models and checkpoints.)";

}  // namespace

void add_train(CLI::App& app, int& code, const Commands& commands) {
  auto* train = app.add_subcommand("train", train_help);
  auto options = std::make_shared<TrainOptions>();
  train->add_option("-c,--config", options->config, "Config file (YAML)")
      ->required()
      ->type_name("FILE");
  train->add_option("overrides", options->overrides, "Fields to override")
      ->type_name("section.key=value");
  train->add_flag("--dry-run", options->dry_run,
                  "Train nothing: try the longest batch, some others, a checkpoint and a "
                  "translation, and say what the run will take");
  train->add_flag("--resume", options->resume,
                  "Go on from the newest checkpoint of the run; begin where there is none");
  for (const char* key : {"training.device", "training.threads", "training.seed"}) {
    const Field& field = *find_field(key);
    add_field_option(train, field, "--" + field.name, options->overrides);
  }
  train->callback([options, &code, &commands] { code = commands.train(*options); });
}

/// Everything behind the option is the command that each process runs.
void add_launch(CLI::App& app, int& code, const Commands& commands) {
  auto* launch = app.add_subcommand("launch", launch_help);
  auto options = std::make_shared<LaunchOptions>();
  launch->fallthrough(false)->prefix_command();
  launch->add_option("--nproc,--nproc-per-node", options->ranks, "Processes")
      ->required()
      ->check(CLI::Range(1, 4096))
      ->type_name("N");
  launch->callback([launch, options, &code, &commands] {
    options->command = launch->remaining();
    code = commands.launch(*options);
  });
}

void add_report(CLI::App& app, int& code, const Commands& commands) {
  auto* report = app.add_subcommand("report", report_help);
  auto options = std::make_shared<ReportOptions>();
  report->add_option("run", options->run, "Run folder")->required()->type_name("FOLDER");
  report->callback([options, &code, &commands] { code = commands.report(*options); });
}

void add_average(CLI::App& app, int& code, const Commands& commands) {
  auto* average = app.add_subcommand("average", average_help);
  auto options = std::make_shared<AverageOptions>();
  average
      ->add_option("folders", options->folders,
                   "One run folder, or several model folders and checkpoints")
      ->required()
      ->type_name("FOLDER");
  average->add_option("-o,--output", options->output, "The model folder to make")
      ->required()
      ->type_name("FOLDER");
  auto* last = average->add_option(
      "--last", options->last, "Of a run: its newest N checkpoints; default: all that are kept");
  auto* best = average->add_option(
      "--best", options->best, "Of a run: the N kept checkpoints whose validations scored best");
  for (auto* count : {last, best}) count->check(CLI::Range(1, 100000))->type_name("N");
  last->excludes(best);
  average->callback([options, &code, &commands] { code = commands.average(*options); });
}

}  // namespace tfm
