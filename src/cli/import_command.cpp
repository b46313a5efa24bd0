#include "import_command.h"

#include <algorithm>
#include <map>
#include <string>

#include "common_options.h"
#include "output.h"
#include "tfm/core/error.h"
#include "tfm/interop/huggingface.h"
#include "tfm/interop/imported_model.h"
#include "tfm/interop/marian.h"
#include "tfm/model/new_folder.h"

namespace tfm {
namespace {

const std::map<std::string, ImportFormat>& format_names() {
  static const std::map<std::string, ImportFormat> names{
      {"marian", ImportFormat::marian}, {"huggingface", ImportFormat::huggingface}};
  return names;
}

const std::string& format_name(ImportFormat format) {
  return std::ranges::find(format_names(), format,
                           &std::pair<const std::string, ImportFormat>::second)
      ->first;
}

void add_options(CLI::App& app, ImportOptions& options) {
  add_format_option<ImportFormat>(
      app, options.format, format_names(),
      "The toolkit: huggingface or marian; without it, a folder with config.json is "
      "huggingface, and a folder with decoder.yml or a file NAME.npz or NAME.yml is marian")
      ->group(input_group);
  app.add_option(
         "PATH", options.model,
         "The folder of the model, Marian's .npz file, or the options of its decoder (.yml)")
      ->required()
      ->type_name("PATH");
  app.add_option("--vocab", options.vocabularies,
                 "Marian vocabulary (.yml or .spm); give the source's first, or a shared one once. "
                 "Without it, those that decoder.yml names")
      ->type_name("FILE")
      ->group(input_group);
  app.add_option(
         "--sentencepiece", options.sentencepiece,
         "SentencePiece model for a Marian vocabulary in .yml; give the source's first, or a "
         "shared one once")
      ->type_name("FILE")
      ->group(input_group);
  add_output_folder_option(app, options.output, "The model folder to create");
}

/// Saves the model that `import` returns. The output folder is checked first, because an import
/// takes a long time.
template <class Import>
void save(const ImportOptions& options, ImportFormat format, const Import& import) {
  require_free_folder(options.output);
  save_imported(import(), options.output, format_name(format), options.model);
}

}  // namespace

ImportFormat detect_format(const std::filesystem::path& model) {
  if (std::filesystem::exists(model / "config.json")) return ImportFormat::huggingface;
  if (std::filesystem::exists(model / marian_decoder_file)) return ImportFormat::marian;
  const bool has_ending = model.extension() == ".npz" || model.extension() == ".yml";
  if (has_ending && !std::filesystem::is_directory(model)) return ImportFormat::marian;
  throw ModelError(model.string(),
                   std::filesystem::exists(model)
                       ? "is neither a folder with config.json (Hugging Face) or decoder.yml "
                         "(Marian) nor Marian's .npz or .yml file"
                       : "does not exist",
                   "Name a folder that save_pretrained wrote, or Marian's folder or .npz file, or "
                   "name the format with --format.");
}

int run_import(const ImportOptions& options) {
  const auto format =
      options.format == ImportFormat::automatic ? detect_format(options.model) : options.format;
  switch (format) {
    case ImportFormat::automatic:
      break;  // not reached: detect_format never returns automatic
    case ImportFormat::marian:
      save(options, format, [&] {
        return import_marian({.model = options.model,
                              .vocabularies = options.vocabularies,
                              .sentencepiece = options.sentencepiece});
      });
      break;
    case ImportFormat::huggingface:
      if (!options.vocabularies.empty() || !options.sentencepiece.empty()) {
        throw ConfigError(
            "--vocab, --sentencepiece",
            "are only for Marian models: a Hugging Face folder contains its vocabularies",
            "Leave out --vocab and --sentencepiece.");
      }
      save(options, format, [&] { return import_huggingface(options.model); });
      break;
  }
  print_result(options.output.string() + "\n");
  return 0;
}

Command import_command(Run<ImportOptions> run) {
  return {.name = "import",
          .group = {},
          .section = "Models",
          .summary = "Imports a model of Hugging Face Transformers or Marian",
          .details =
              "The model is a MarianMT, M2M-100 or NLLB-200 folder of Hugging Face Transformers, "
              "or a Transformer trained with Marian. The result is a model folder of tfm.",
          .examples = {"tfm import opus-mt-de-en -o models/opus-mt-de-en",
                       "tfm import model.npz --vocab shared.spm -o models/marian"},
          .read_more = "docs/interop.md",
          .prepare = with_options<ImportOptions>(add_options, std::move(run))};
}

}  // namespace tfm
