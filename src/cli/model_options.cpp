#include <map>
#include <memory>

#include "command_options.h"

namespace tfm {
namespace {

constexpr const char* shortlist_help = R"(Examples:
  tfm shortlist -m runs/multi30k_de_en
  tfm translate -m runs/multi30k_de_en --shortlist auto -i test.de

Learns from the training text which target tokens may translate each source token, and keeps )"
                                       R"(them in the model's folder. With them,
translation looks at those tokens only: faster, the more so the larger the vocabulary is.)";

constexpr const char* export_help = R"(Example:
  tfm export --format ctranslate2 -m runs/multi30k_de_en -o exported

Writes a model as another toolkit reads it. ctranslate2: a folder for CTranslate2's Translator, )"
                                    R"(which takes and gives token pieces, not text.)";

constexpr const char* import_help = R"(Examples:
  tfm import --format huggingface opus-mt-de-en -o models/opus-mt-de-en
  tfm import --format marian model.npz --vocab source.spm --vocab target.spm -o models/marian

Makes a model folder of another toolkit's model: a MarianMT folder of Hugging Face Transformers, )"
                                    R"(or a Transformer trained with Marian.)";

constexpr const char* model_info_help = R"(Example:
  tfm model info runs/multi30k_de_en

Prints a model's parameters by part, vocabularies, scores, sizes on disk, and the fields of its )"
                                        R"(config that differ from the defaults.)";

}  // namespace

void add_shortlist(CLI::App& app, int& code, const Commands& commands) {
  auto* command = app.add_subcommand("shortlist", shortlist_help);
  auto options = std::make_shared<ShortlistOptions>();
  command
      ->add_option("-m,--model", options->model,
                   "Model folder; default: $TFM_MODEL, else the newest run under runs/")
      ->type_name("FOLDER");
  auto* source = command->add_option(
      "--source", options->source,
      "Sentences to learn from, plain or .gz; default: what the model was trained on");
  source->type_name("FILE");
  auto* target =
      command->add_option("--target", options->target, "Their translations, line by line")
          ->needs(source)
          ->type_name("FILE");
  source->needs(target);
  command
      ->add_option("--per-token", options->size.per_token,
                   "How many translations of a source token to keep (50)")
      ->check(CLI::Range(1, 1000000))
      ->type_name("");
  command
      ->add_option("--frequent", options->size.frequent,
                   "How many frequent target tokens to offer always (50)")
      ->check(CLI::Range(0, 1000000))
      ->type_name("");
  command
      ->add_option("-o,--output", options->output,
                   "The file to write; default: shortlist.safetensors in the model's folder")
      ->type_name("FILE");
  command->callback([options, &code, &commands] { code = commands.shortlist(*options); });
}

void add_export(CLI::App& app, int& code, const Commands& commands) {
  auto* command = app.add_subcommand("export", export_help);
  auto options = std::make_shared<ExportOptions>();
  const std::map<std::string, ExportFormat> formats{{"ctranslate2", ExportFormat::ctranslate2}};
  command->add_option("--format", options->format, "ctranslate2")
      ->required()
      ->transform(CLI::CheckedTransformer(formats, CLI::ignore_case).description(""))
      ->type_name("");
  command
      ->add_option("-m,--model", options->model,
                   "Model folder; default: $TFM_MODEL, else the newest run under runs/")
      ->type_name("FOLDER");
  command->add_option("-o,--output", options->output, "The folder to make")
      ->required()
      ->type_name("FOLDER");
  command->callback([options, &code, &commands] { code = commands.export_model(*options); });
}

void add_import(CLI::App& app, int& code, const Commands& commands) {
  auto* command = app.add_subcommand("import", import_help);
  auto options = std::make_shared<ImportOptions>();
  const std::map<std::string, ImportFormat> formats{{"marian", ImportFormat::marian},
                                                    {"huggingface", ImportFormat::huggingface}};
  command->add_option("--format", options->format, "huggingface or marian")
      ->required()
      ->transform(CLI::CheckedTransformer(formats, CLI::ignore_case).description(""))
      ->type_name("");
  command->add_option("model", options->model, "Folder; with marian also the .npz file")
      ->required()
      ->type_name("PATH");
  command
      ->add_option(
          "--vocab", options->vocabularies,
          "marian: a vocabulary (.yml, .spm), the source's first; once where both share it")
      ->type_name("FILE");
  command
      ->add_option("--sentencepiece", options->sentencepiece,
                   "marian: a SentencePiece model that divides text into the pieces of a .yml "
                   "vocabulary, the source's first; once for both")
      ->type_name("FILE");
  command->add_option("-o,--output", options->output, "The model folder to make")
      ->required()
      ->type_name("FOLDER");
  command->callback([options, &code, &commands] { code = commands.import_model(*options); });
}

void add_model(CLI::App& app, int& code, const Commands& commands) {
  auto* model = app.add_subcommand("model", "Looks into model folders");
  model->require_subcommand(1);
  auto* info = model->add_subcommand("info", model_info_help);
  auto options = std::make_shared<ModelOptions>();
  info->add_option("model", options->folder,
                   "Model folder; default: $TFM_MODEL, else the newest run under runs/")
      ->type_name("FOLDER");
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
  auto* check =
      config->add_subcommand("check",
                             "Example: tfm config check my.yaml\n\nReports every fault of a config "
                             "file; prints the resolved config where there is none");
  check->add_option("file", options->file, "Config file")->required()->type_name("FILE");
  check->add_option("overrides", options->overrides, "Fields to override")
      ->type_name("section.key=value");
  on(check, ConfigAction::check);
  auto* explain =
      config->add_subcommand("explain",
                             "Example: tfm config explain training.learning_rate\n\nExplains a "
                             "field, a section, or everything");
  explain->add_option("key", options->key, "section.key or section; none: everything")
      ->type_name("KEY");
  on(explain, ConfigAction::explain);
  on(config->add_subcommand("schema", "Prints the JSON Schema of config files, for editors"),
     ConfigAction::schema);
}

}  // namespace tfm
