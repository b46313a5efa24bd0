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

namespace tfm {
namespace {

constexpr const char* import_help = R"(Examples:
  tfm import --format huggingface opus-mt-de-en -o models/opus-mt-de-en
  tfm import --format marian model.npz --vocab source.spm --vocab target.spm -o models/marian

Makes a model folder of another toolkit's model: a MarianMT folder of Hugging Face Transformers, )"
                                    R"(or a Transformer trained with Marian.)";

const std::map<std::string, ImportFormat> format_names{{"marian", ImportFormat::marian},
                                                       {"huggingface", ImportFormat::huggingface}};

const std::string& name_of(ImportFormat format) {
  return std::ranges::find(format_names, format,
                           &std::pair<const std::string, ImportFormat>::second)
      ->first;
}

void add_options(CLI::App& app, ImportOptions& options) {
  add_format_option<ImportFormat>(app, options.format, format_names, "huggingface or marian")
      ->required();
  app.add_option("model", options.model, "Folder; with marian also the .npz file")
      ->required()
      ->type_name("PATH");
  app.add_option("--vocab", options.vocabularies,
                 "marian: a vocabulary (.yml, .spm), the source's first; once where both share it")
      ->type_name("FILE");
  app.add_option("--sentencepiece", options.sentencepiece,
                 "marian: a SentencePiece model that divides text into the pieces of a .yml "
                 "vocabulary, the source's first; once for both")
      ->type_name("FILE");
  add_output_folder_option(app, options.output, "The model folder to make");
}

/// Saves the model that `import` returns. The folder is checked first, because importing takes a
/// while.
template <class Import>
void save(const ImportOptions& options, const Import& import) {
  require_free_folder(options.output);
  save_imported(import(), options.output, name_of(options.format), options.model);
}

}  // namespace

int run_import(const ImportOptions& options) {
  switch (options.format) {
    case ImportFormat::marian:
      save(options, [&] {
        return import_marian({.model = options.model,
                              .vocabularies = options.vocabularies,
                              .sentencepiece = options.sentencepiece});
      });
      break;
    case ImportFormat::huggingface:
      if (!options.vocabularies.empty() || !options.sentencepiece.empty()) {
        throw ConfigError("--vocab, --sentencepiece",
                          "a Hugging Face folder holds its own vocabularies", "Leave them out.");
      }
      save(options, [&] { return import_huggingface(options.model); });
      break;
  }
  Output output;
  output.line(options.output.string());
  output.finish();
  return 0;
}

Command import_command(Run<ImportOptions> run) {
  return {.name = "import",
          .group = {},
          .summary = import_help,
          .prepare = with_options<ImportOptions>(add_options, std::move(run))};
}

}  // namespace tfm
