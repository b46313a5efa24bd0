#include "tfm/cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>

#include "tfm/config/fields.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

constexpr const char* overview = R"(Examples:
  tfm train --config configs/toy.yaml
  tfm translate "ich mochte ein bier"

Trains, checks and runs Transformer translators.
Results go to stdout, everything else to stderr. Exit codes: 0 done, 1 failed, 2 wrong usage or config, 130 interrupted (saved).)";

constexpr const char* train_help = R"(Example:
  tfm train --config configs/multi30k_de_en.yaml training.seed=3 training.max_steps=5000

Trains a model as the config file says; section.key=value after it overrides a field. The run folder becomes a model folder.
`tfm config explain KEY` says what a field means.)";

constexpr const char* launch_help = R"(Example:
  tfm launch --nproc 2 train --config configs/demo.yaml training.threads=1

Trains with N processes of this machine, each on its share of the batches (and on a GPU of its own where there are GPUs).
One process that fails ends all. Several machines: torchrun or srun, see docs/scaling.md.)";

constexpr const char* translate_help = R"(Examples:
  tfm translate "ich mochte ein bier"
  tfm translate -m runs/multi30k_de_en -i test.de -o test.en --beam-size 5
  cat test.de | tfm translate --n-best 4 --format jsonl
  tfm translate --sampling --temperature 0.8 --n-best 5 "ich mochte ein bier"
  tfm translate -m runs/a -m runs/b --target-prefix "i want" "ich mochte ein bier"
  tfm translate --attention attention.html "ich mochte ein bier"

Translates text arguments, a file, or standard input: N lines in, N lines out, in order. An empty line gives an empty line.
At a terminal it asks for one line at a time; arrow keys bring earlier ones back, Ctrl-D ends.)";

constexpr const char* evaluate_help = R"(Examples:
  tfm evaluate -m runs/multi30k_de_en --source test.de --reference test.en
  tfm evaluate --hypothesis system.en --reference test.en

Prints corpus BLEU and chrF2, as sacreBLEU computes them, with their signatures.)";

constexpr const char* report_help = R"(Example:
  tfm report runs/multi30k_de_en

Writes report.html into a run folder: curves, translations of the same lines through time, facts, config. Training does so by itself at
each validation.)";

constexpr const char* average_help = R"(Examples:
  tfm average runs/multi30k_de_en --last 5 -o runs/average
  tfm average runs/a runs/b runs/a/checkpoints/step-00001000 -o runs/average

Makes a model folder whose weights are the mean of others': of a run's checkpoints, or of the named models and checkpoints.)";

constexpr const char* export_help = R"(Example:
  tfm export --format ctranslate2 -m runs/multi30k_de_en -o exported

Writes a model as another toolkit reads it. ctranslate2: a folder for CTranslate2's Translator, which takes and gives token pieces, not text.)";

constexpr const char* import_help = R"(Examples:
  tfm import --format huggingface opus-mt-de-en -o models/opus-mt-de-en
  tfm import --format marian model.npz --vocab source.spm --vocab target.spm -o models/marian

Makes a model folder of another toolkit's model: a MarianMT folder of Hugging Face Transformers, or a Transformer trained with Marian.)";

constexpr const char* model_info_help = R"(Example:
  tfm model info runs/multi30k_de_en

Prints a model's parameters by part, vocabularies, scores, sizes on disk, and the fields of its config that differ from the defaults.)";

/// "--Beam_size=3" -> "--Beam-size=3": the name's underscores only.
std::vector<std::string> with_dashes(int argc, const char* const* argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  for (auto& argument : arguments) {
    if (argument == "--") break;
    if (!argument.starts_with("--")) continue;
    const auto name_end = argument.begin() + static_cast<std::ptrdiff_t>(std::min(argument.find('='), argument.size()));
    std::replace(argument.begin(), name_end, '_', '-');
  }
  return arguments;
}

std::string dashed(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

/// One option for a config field, kept as "section.key=value"; names: CLI11's, e.g. "-b,--beam-size".
void add_field_option(CLI::App* app, const Field& field, const std::string& names, std::vector<std::string>& overrides) {
  const auto take = [&field, &overrides](const std::string& value) { overrides.push_back(field.key() + "=" + value); };
  CLI::Option* option = nullptr;
  if (field.type == FieldType::boolean) {
    option = app->add_flag_function(
        names, [take](std::int64_t count) { take(count > 0 ? "true" : "false"); }, field.doc);
  } else {
    option = app->add_option_function<std::string>(names, take, field.doc)->type_name("");
  }
  // The entries of a list may come one by one.
  if (field.type == FieldType::list) option->multi_option_policy(CLI::MultiOptionPolicy::Join)->delimiter(';');
  option->group(field.section == "decoding" ? "Decoding" : "Options");
}

void add_decoding_options(CLI::App* app, std::vector<std::string>& overrides) {
  static const std::map<std::string, std::string> extra_names{{"beam_size", "-b,"}, {"length_penalty", "--normalize,"}};
  for (const auto& field : fields()) {
    if (field.section != "decoding") continue;
    const auto extra = extra_names.find(field.name);
    add_field_option(app, field, (extra != extra_names.end() ? extra->second : "") + "--" + dashed(field.name), overrides);
  }
}

void add_runtime_options(CLI::App* app, RuntimeOptions& runtime) {
  app->add_option("--device", runtime.device, "auto (CUDA where there is one), cpu, cuda or cuda:N")->type_name("");
  app->add_option("--threads", runtime.threads, "CPU threads; 0: all cores")->check(CLI::Range(0, 4096))->type_name("");
}

void add_model_option(CLI::App* app, std::vector<std::filesystem::path>& models) {
  app->add_option("-m,--model", models,
                  "Model folder; default: $TFM_MODEL, else the newest run under runs/. Given several times: the models translate together")
      ->allow_extra_args(false)  // the word after the folder is text
      ->type_name("FOLDER");
}

void add_train(CLI::App& app, int& code, const Commands& commands) {
  auto* train = app.add_subcommand("train", train_help);
  auto options = std::make_shared<TrainOptions>();
  train->add_option("-c,--config", options->config, "Config file (YAML)")->required()->type_name("FILE");
  train->add_option("overrides", options->overrides, "Fields to override")->type_name("section.key=value");
  train->add_flag("--dry-run", options->dry_run,
                  "Train nothing: try the longest batch, some others, a checkpoint and a translation, and say what the run will take");
  train->add_flag("--resume", options->resume, "Go on from the newest checkpoint of the run; begin where there is none");
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
  launch->add_option("--nproc,--nproc-per-node", options->ranks, "Processes")->required()->check(CLI::Range(1, 4096))->type_name("N");
  launch->callback([launch, options, &code, &commands] {
    options->command = launch->remaining();
    code = commands.launch(*options);
  });
}

void add_translate(CLI::App& app, int& code, const Commands& commands) {
  auto* translate = app.add_subcommand("translate", translate_help);
  auto options = std::make_shared<TranslateOptions>();
  translate->add_option("text", options->texts, "Text to translate, a line each; none: standard input")->type_name("TEXT");
  add_model_option(translate, options->models);
  translate->add_option("-i,--input", options->input, "Text file to translate, plain or .gz")->type_name("FILE");
  translate->add_option("-o,--output", options->output, "Where the translations go, whole or not at all; default: stdout")->type_name("FILE");
  const std::map<std::string, OutputFormat> formats{{"text", OutputFormat::text}, {"marian", OutputFormat::marian}, {"jsonl", OutputFormat::jsonl}};
  translate
      ->add_option("--format", options->format, "text (default), marian (\"0 ||| text ||| F0= -3.2 ||| -0.46\"; default with --n-best), or jsonl")
      ->transform(CLI::CheckedTransformer(formats, CLI::ignore_case).description(""))
      ->type_name("");
  translate->add_flag("--alignment", options->alignment, "Add word alignments, source-target from 0: \"text ||| 0-0 1-2\"");
  translate->add_flag("--explain", options->explain, "Show each token with its probability and what else could have stood there (text and jsonl)");
  translate
      ->add_option("--target-prefix-file", options->prefixes,
                   "Line i: how the translation of line i begins, in place of --target-prefix; an empty line: as that says")
      ->type_name("FILE");
  translate
      ->add_option("--forced-phrases-file", options->phrases,
                   "Line i: phrases that the translation of line i contains beside --forced-phrases, separated by tabs; may be empty")
      ->type_name("FILE");
  translate->add_option("--attention", options->attention, "Show what the model attended to: a page (.html), a figure (.svg) or numbers (.json)")
      ->type_name("FILE");
  add_runtime_options(translate, options->runtime);
  add_decoding_options(translate, options->decoding);
  translate->callback([options, &code, &commands] { code = commands.translate(*options); });
}

void add_evaluate(CLI::App& app, int& code, const Commands& commands) {
  auto* evaluate = app.add_subcommand("evaluate", evaluate_help);
  auto options = std::make_shared<EvaluateOptions>();
  add_model_option(evaluate, options->models);
  auto* source = evaluate->add_option("--source", options->source, "Text to translate, plain or .gz")->type_name("FILE");
  evaluate->add_option("--reference", options->reference, "Its reference translation")->required()->type_name("FILE");
  evaluate->add_option("--hypothesis", options->hypothesis, "A ready translation to score, in place of a model")->excludes(source)->type_name("FILE");
  evaluate
      ->add_option("--alignment", options->alignment,
                   "Word alignments of source and reference (\"0-0 1-2\" a line): prints how far the model's are from them")
      ->needs(source)
      ->type_name("FILE");
  evaluate->add_option("-o,--output", options->output, "Keep the translations here")->type_name("FILE");
  add_runtime_options(evaluate, options->runtime);
  add_decoding_options(evaluate, options->decoding);
  evaluate->callback([options, &code, &commands] { code = commands.evaluate(*options); });
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
  average->add_option("folders", options->folders, "One run folder, or several model folders and checkpoints")->required()->type_name("FOLDER");
  average->add_option("-o,--output", options->output, "The model folder to make")->required()->type_name("FOLDER");
  auto* last = average->add_option("--last", options->last, "Of a run: its newest N checkpoints; default: all that are kept");
  auto* best = average->add_option("--best", options->best, "Of a run: the N kept checkpoints whose validations scored best");
  for (auto* count : {last, best}) count->check(CLI::Range(1, 100000))->type_name("N");
  last->excludes(best);
  average->callback([options, &code, &commands] { code = commands.average(*options); });
}

void add_export(CLI::App& app, int& code, const Commands& commands) {
  auto* command = app.add_subcommand("export", export_help);
  auto options = std::make_shared<ExportOptions>();
  const std::map<std::string, ExportFormat> formats{{"ctranslate2", ExportFormat::ctranslate2}};
  command->add_option("--format", options->format, "ctranslate2")
      ->required()
      ->transform(CLI::CheckedTransformer(formats, CLI::ignore_case).description(""))
      ->type_name("");
  command->add_option("-m,--model", options->model, "Model folder; default: $TFM_MODEL, else the newest run under runs/")->type_name("FOLDER");
  command->add_option("-o,--output", options->output, "The folder to make")->required()->type_name("FOLDER");
  command->callback([options, &code, &commands] { code = commands.export_model(*options); });
}

void add_import(CLI::App& app, int& code, const Commands& commands) {
  auto* command = app.add_subcommand("import", import_help);
  auto options = std::make_shared<ImportOptions>();
  const std::map<std::string, ImportFormat> formats{{"marian", ImportFormat::marian}, {"huggingface", ImportFormat::huggingface}};
  command->add_option("--format", options->format, "huggingface or marian")
      ->required()
      ->transform(CLI::CheckedTransformer(formats, CLI::ignore_case).description(""))
      ->type_name("");
  command->add_option("model", options->model, "Folder; with marian also the .npz file")->required()->type_name("PATH");
  command->add_option("--vocab", options->vocabularies, "marian: a vocabulary (.yml, .spm), the source's first; once where both share it")
      ->type_name("FILE");
  command
      ->add_option("--sentencepiece", options->sentencepiece,
                   "marian: a SentencePiece model that divides text into the pieces of a .yml vocabulary, the source's first; once for both")
      ->type_name("FILE");
  command->add_option("-o,--output", options->output, "The model folder to make")->required()->type_name("FOLDER");
  command->callback([options, &code, &commands] { code = commands.import_model(*options); });
}

void add_model(CLI::App& app, int& code, const Commands& commands) {
  auto* model = app.add_subcommand("model", "Looks into model folders");
  model->require_subcommand(1);
  auto* info = model->add_subcommand("info", model_info_help);
  auto options = std::make_shared<ModelOptions>();
  info->add_option("model", options->folder, "Model folder; default: $TFM_MODEL, else the newest run under runs/")->type_name("FOLDER");
  info->callback([options, &code, &commands] { code = commands.model_info(*options); });
}

void add_config(CLI::App& app, int& code, const Commands& commands) {
  auto* config = app.add_subcommand("config", "Checks and explains config files");
  config->require_subcommand(1);
  auto options = std::make_shared<ConfigOptions>();
  const auto on = [&, options](CLI::App* action_app, ConfigAction action) {
    action_app->callback([options, action, &code, &commands] {
      options->action = action;
      code = commands.config(*options);
    });
  };
  auto* check = config->add_subcommand(
      "check", "Example: tfm config check my.yaml\n\nReports every fault of a config file; prints the resolved config where there is none");
  check->add_option("file", options->file, "Config file")->required()->type_name("FILE");
  check->add_option("overrides", options->overrides, "Fields to override")->type_name("section.key=value");
  on(check, ConfigAction::check);
  auto* explain =
      config->add_subcommand("explain", "Example: tfm config explain training.learning_rate\n\nExplains a field, a section, or everything");
  explain->add_option("key", options->key, "section.key or section; none: everything")->type_name("KEY");
  on(explain, ConfigAction::explain);
  on(config->add_subcommand("schema", "Prints the JSON Schema of config files, for editors"), ConfigAction::schema);
}

}  // namespace

int run_command_line(int argc, const char* const* argv, const Commands& commands) {
  CLI::App app(overview, "tfm");
  app.require_subcommand(1);
  app.fallthrough();  // -q and -v are understood after the command as well
  app.set_version_flag("--version", "tfm " TFM_VERSION);
  bool quiet = false;
  bool verbose = false;
  app.add_flag("-q,--quiet", quiet, "Warnings and errors only");
  app.add_flag("-v,--verbose", verbose, "Say more");
  app.parse_complete_callback([&] { set_up_log(quiet ? Verbosity::quiet : verbose ? Verbosity::verbose : Verbosity::normal); });
  int code = 0;
  add_train(app, code, commands);
  add_launch(app, code, commands);
  add_translate(app, code, commands);
  add_evaluate(app, code, commands);
  add_report(app, code, commands);
  add_average(app, code, commands);
  add_export(app, code, commands);
  add_import(app, code, commands);
  add_model(app, code, commands);
  add_config(app, code, commands);
  auto arguments = with_dashes(argc, argv);
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0 && !app.remaining().empty()) {
      throw ConfigError("", "unknown: " + app.remaining().front(),
                        "Commands are train, launch, translate, evaluate, report, average, export, import, model and config; tfm --help shows them.");
    }
    return app.exit(error) == 0 ? 0 : 2;
  }
  return code;
}

}  // namespace tfm
