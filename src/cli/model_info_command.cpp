#include "model_info_command.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "common_options.h"
#include "output.h"
#include "tfm/config/config_file.h"
#include "tfm/config/fields.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/format.h"
#include "tfm/model/model_files.h"
#include "tfm/model/model_record.h"
#include "tfm/run/checkpoint_store.h"
#include "tfm/tensor/parameter_summary.h"

namespace tfm {
namespace {

void add_options(CLI::App& app, ModelInfoOptions& options) {
  auto* folder = app.add_option("FOLDER", options.folder, model_folder_help)->type_name("FOLDER");
  app.add_option("-m,--model", options.folder, "The folder, as an option")
      ->excludes(folder)
      ->type_name("FOLDER");
  add_report_format(app, options.format, "text, or json: one object, with all digits");
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

/// The parts of a model folder that `tfm model info` describes.
struct ModelInfo {
  fs::path folder;
  Config config;
  std::vector<ParameterGroup> parameters;
  TokenizerPair tokenizers;
  std::size_t checkpoints = 0;
};

ModelInfo read_model(const fs::path& folder) {
  const auto description = description_folder(folder);
  const auto config = load_config(description / config_file);
  return {.folder = folder,
          .config = config,
          .parameters = summarize_parameters(folder / weights_file),
          .tokenizers = load_tokenizers(config.tokenizer, description),
          .checkpoints = CheckpointStore(folder).list().size()};
}

std::string info_text(const ModelInfo& model) {
  const auto& folder = model.folder;
  return folder.string() + "\n\nparameters\n" + format_parameter_summary(model.parameters) +
         "\nvocabulary\n  " + describe_vocabularies(model.tokenizers) + "\n\nreport\n" +
         record_lines(folder) +
         fmt::format("\non disk\n  weights {}, all {}, of which {} checkpoints {}\n",
                     format_bytes(static_cast<double>(fs::file_size(folder / weights_file))),
                     format_bytes(bytes_under(folder)), model.checkpoints,
                     format_bytes(bytes_under(folder / "checkpoints"))) +
         "\nconfig fields that differ from the defaults\n" + config_lines(model.config);
}

std::string info_json(const ModelInfo& model) {
  using nlohmann::ordered_json;
  const auto& folder = model.folder;
  ordered_json parameters = ordered_json::object();
  for (const auto& group : model.parameters) parameters[group.name] = group.count;
  ordered_json fields_set = ordered_json::object();
  static const Config defaults;
  for (const auto& field : fields()) {
    if (field.get(model.config) != field.get(defaults))
      fields_set[field.key()] = field.get(model.config);
  }
  const auto report = fs::exists(folder / report_file) ? read_report(folder) : ordered_json();
  const ordered_json info = {
      {"folder", folder.string()},
      {"parameters", parameters},
      {"vocabulary",
       {{"joint", model.tokenizers.is_joint()},
        {"source", model.tokenizers.source->size()},
        {"target", model.tokenizers.target->size()}}},
      {"report", report.is_discarded() ? ordered_json() : report},
      {"bytes",
       {{"weights", fs::file_size(folder / weights_file)},
        {"all", static_cast<std::int64_t>(bytes_under(folder))},
        {"checkpoints", static_cast<std::int64_t>(bytes_under(folder / "checkpoints"))}}},
      {"checkpoints", model.checkpoints},
      {"config", fields_set}};
  return info.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string describe_vocabularies(const TokenizerPair& tokenizers) {
  if (tokenizers.is_joint())
    return fmt::format("{} tokens, source and target together", tokenizers.source->size());
  return fmt::format("source {} tokens, target {} tokens", tokenizers.source->size(),
                     tokenizers.target->size());
}

int run_model_info(const ModelInfoOptions& options) {
  const auto folder = options.folder.empty() ? default_model() : options.folder;
  require_model_folder(folder);
  const auto model = read_model(folder);
  // The texts of a model from an untrusted source may contain control characters. The JSON writer
  // escapes them already.
  print_result(options.format == ReportFormat::json ? info_json(model)
                                                    : escape_controls(info_text(model)));
  return 0;
}

Command model_info_command(Run<ModelInfoOptions> run) {
  return {.name = "info",
          .group = {"model", "Describes and packs model folders"},
          .section = "Models",
          .summary = "Describes a model: parameters, vocabularies, scores, sizes",
          .details = "Also prints the config fields that differ from the defaults.",
          .examples = {"tfm model info", "tfm model info runs/multi30k_de_en --format json"},
          .read_more = "docs/models.md",
          .prepare = with_options<ModelInfoOptions>(add_options, std::move(run))};
}

}  // namespace tfm
