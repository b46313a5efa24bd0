#include "model_info_command.h"

#include <fmt/format.h>

#include "common_options.h"
#include "output.h"
#include "tfm/config/config_file.h"
#include "tfm/config/fields.h"
#include "tfm/core/error.h"
#include "tfm/core/format.h"
#include "tfm/model/model_files.h"
#include "tfm/model/model_record.h"
#include "tfm/run/checkpoint_store.h"
#include "tfm/tensor/parameter_summary.h"

namespace tfm {
namespace {

void add_options(CLI::App& app, ModelInfoOptions& options) {
  app.add_option("FOLDER", options.folder, model_folder_help)->type_name("FOLDER");
}

namespace fs = std::filesystem;

double bytes_under(const fs::path& folder) {
  double bytes = 0;
  std::error_code none;
  for (const auto& entry : fs::recursive_directory_iterator(folder, none)) {
    if (entry.is_regular_file(none)) bytes += static_cast<double>(entry.file_size(none));
  }
  return bytes;
}

std::string vocabularies(const TokenizerPair& tokenizers) {
  if (tokenizers.joint())
    return fmt::format("  {} tokens, source and target together\n", tokenizers.source->size());
  return fmt::format("  source {} tokens, target {} tokens\n", tokenizers.source->size(),
                     tokenizers.target->size());
}

std::string record_lines(const fs::path& folder) {
  if (!fs::exists(folder / config_file))
    return "  none: the report of a run describes its best model, not a checkpoint\n";
  if (!fs::exists(folder / report_file))
    return "  none: training has not finished, or report.json is missing\n";
  const auto record = list_record(folder);
  if (!record) return "  report.json is corrupt\n";
  std::string lines;
  for (const auto& [name, value] : *record) lines += fmt::format("  {:<20} {}\n", name, value);
  return lines;
}

std::string config_lines(const Config& config) {
  static const Config defaults;
  std::string lines;
  for (const auto& field : fields()) {
    if (field.get(config) != field.get(defaults))
      lines += fmt::format("  {:<32} {}\n", field.key(), field.get(config));
  }
  return lines.empty() ? "  none\n" : lines;
}

}  // namespace

int run_model_info(const ModelInfoOptions& options) {
  const auto folder = options.folder.empty() ? default_model() : options.folder;
  const auto description = description_folder(folder);
  if (!fs::exists(description / config_file) || !fs::exists(folder / weights_file)) {
    throw ModelError(folder.string(), "is not a model folder",
                     "Give the folder that training wrote, e.g. runs/toy.");
  }
  const auto config = load_config(description / config_file);
  const auto parameters = summarize_parameters(folder / weights_file);
  const auto checkpoints = CheckpointStore(folder).list();
  std::string text = folder.string() + "\n";
  text += "\nparameters\n" + format_parameter_summary(parameters);
  text += "\nvocabulary\n" + vocabularies(load_tokenizers(config.tokenizer, description));
  text += "\nreport\n" + record_lines(folder);
  text += fmt::format("\non disk\n  weights {}, all {}, of which {} checkpoints {}\n",
                      format_bytes(static_cast<double>(fs::file_size(folder / weights_file))),
                      format_bytes(bytes_under(folder)), checkpoints.size(),
                      format_bytes(bytes_under(folder / "checkpoints")));
  text += "\nconfig fields that differ from the defaults\n" + config_lines(config);
  print_result(escape_controls(text));  // names and reports may come from strangers
  return 0;
}

Command model_info_command(Run<ModelInfoOptions> run) {
  return {.name = "info",
          .group = {"model", "Describes model folders"},
          .section = "Models",
          .summary = "Describes a model: parameters, vocabularies, scores, sizes",
          .details = "Also prints the config fields that differ from the defaults.",
          .examples = {"tfm model info", "tfm model info runs/multi30k_de_en"},
          .read_more = "docs/models.md",
          .prepare = with_options<ModelInfoOptions>(add_options, std::move(run))};
}

}  // namespace tfm
