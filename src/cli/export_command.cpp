#include "export_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common_options.h"
#include "load.h"
#include "model_info_command.h"
#include "output.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/data/corpus.h"
#include "tfm/data/language_pair.h"
#include "tfm/data/tagged_pairs.h"
#include "tfm/interop/argos.h"
#include "tfm/interop/ctranslate2.h"
#include "tfm/interop/huggingface.h"
#include "tfm/interop/marian.h"
#include "tfm/interop/model_card.h"
#include "tfm/model/model.h"
#include "tfm/model/model_files.h"
#include "tfm/model/model_record.h"
#include "tfm/tensor/parameter_summary.h"
#include "tfm/tokenizer/language_tags.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

void add_options(CLI::App& app, ExportOptions& options) {
  add_format_option<ExportFormat>(app, options.format,
                                  {{"ctranslate2", ExportFormat::ctranslate2},
                                   {"argos", ExportFormat::argos},
                                   {"huggingface", ExportFormat::huggingface},
                                   {"marian", ExportFormat::marian}},
                                  "The toolkit: ctranslate2, argos, huggingface or marian")
      ->default_str("ctranslate2")
      ->group(input_group);
  add_model_option(app, options.model);
  app.add_option("-o,--output", options.output,
                 "The folder to create; for argos, the file, such as NAME.argosmodel")
      ->required()
      ->type_name("PATH")
      ->group(input_group);
}

/// Returns the pieces that tfm never produces, each as a sequence of one piece, as Python and JSON
/// spell it.
std::string never_produced(const Tokenizer& target) {
  auto sequences = nlohmann::json::array();
  for (const TokenId id : {target.special().pad, target.special().bos})
    sequences.push_back(nlohmann::json::array({target.piece(id)}));
  return sequences.dump();
}

/// States the languages of a model with data.tags or decoding.source_tag, and what its tags choose.
void add_tags(ModelFacts& facts, const Config& config, const fs::path& folder) {
  if (config.data.tags.empty() && config.decoding.source_tag.empty()) return;
  try {
    std::vector<std::string> pairs;
    for (const auto& [languages, tags] : resolve_tagged_pairs(config, folder / config_file)) {
      pairs.push_back(fmt::format("{} to {}", languages.source, languages.target));
      facts.tags.emplace_back(pairs.back(), tags.source);
    }
    facts.languages = fmt::format("{}", fmt::join(pairs, ", "));
  } catch (const ConfigError&) {  // the languages are not known
    facts.tags.clear();
    if (config.data.sets.empty()) {
      facts.tags.emplace_back("all sentences", config.decoding.source_tag);
      return;
    }
    for (const auto& set : training_sets(config.data))
      facts.tags.emplace_back(fmt::format("as in the set '{}'", set.name), set.tag);
  }
  const bool has_tags = std::ranges::any_of(
      facts.tags, [](const auto& meaning_and_tag) { return !meaning_and_tag.second.empty(); });
  if (!has_tags) facts.tags.clear();
}

/// Returns the tags of the languages of a model with data.language_tags.
std::string list_tagged_languages(const Tokenizer& tokenizer) {
  std::vector<std::string> tags;
  for (const TokenId id : list_language_tags(tokenizer, TagKind::language))
    tags.push_back(tokenizer.piece(id));
  return fmt::format("{}", fmt::join(tags, ", "));
}

ModelFacts collect_facts(const Model& model, const fs::path& folder) {
  ModelFacts facts{.name = fs::absolute(folder).lexically_normal().filename().string(),
                   .languages = language_pair(model.config().data),
                   .tokenizer = model.config().tokenizer.kind,
                   .joint = model.tokenizers().is_joint(),
                   .vocabulary = describe_vocabularies(model.tokenizers()),
                   .language_tags = model.config().data.language_tags != LanguageTags::none,
                   .never_produced = never_produced(*model.tokenizers().target),
                   .record = {}};
  add_tags(facts, model.config(), description_folder(folder));
  if (facts.language_tags) facts.languages = list_tagged_languages(*model.tokenizers().target);
  for (const auto& group : summarize_parameters(folder / weights_file))
    facts.parameters += group.count;
  if (fs::exists(folder / report_file)) facts.record = list_record(folder).value_or(facts.record);
  return facts;
}

}  // namespace

int run_export(const ExportOptions& options) {
  const auto folder = options.model.empty() ? default_model() : options.model;
  const auto model = Model::load(folder, "cpu");
  warn_if_training(folder);
  switch (options.format) {
    case ExportFormat::ctranslate2:
      export_ctranslate2(model, options.output, folder,
                         ctranslate2_card(collect_facts(model, folder)));
      log_info("CTranslate2 reads and writes subword tokens: README.md in {} shows how to use them",
               options.output.string());
      break;
    case ExportFormat::argos:
      export_argos(model, options.output, folder, argos_card(collect_facts(model, folder)));
      break;
    case ExportFormat::huggingface:
      export_huggingface(model, options.output, folder,
                         huggingface_card(collect_facts(model, folder)));
      log_info("README.md in {} shows how to load the model", options.output.string());
      break;
    case ExportFormat::marian:
      export_marian(model, options.output, folder, marian_card(collect_facts(model, folder)));
      log_info("README.md in {} shows how to translate with the model", options.output.string());
      break;
  }
  print_result(options.output.string() + "\n");
  return 0;
}

Command export_command(Run<ExportOptions> run) {
  return {.name = "export",
          .group = {},
          .section = "Models",
          .summary = "Exports a model for another toolkit",
          .details =
              "ctranslate2 writes a folder for CTranslate2's Translator, which reads and "
              "writes subword tokens, not text. argos writes one file, a package for Argos "
              "Translate and LibreTranslate. huggingface writes a folder for Transformers' "
              "AutoTokenizer and AutoModelForSeq2SeqLM. marian writes a folder for Marian's "
              "decoder. Each toolkit expresses only some models; an error names the settings that "
              "it lacks. A README.md says what the model is and how to load it.",
          .examples = {"tfm export -m runs/multi30k_de_en -o exported",
                       "tfm export --format argos -m runs/multi30k_de_en -o de_en.argosmodel"},
          .read_more = "docs/interop.md",
          .prepare = with_options<ExportOptions>(add_options, std::move(run))};
}

}  // namespace tfm
