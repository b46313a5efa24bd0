#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tfm/cli/commands.h"
#include "tfm/cli/output.h"
#include "tfm/config/config_file.h"
#include "tfm/config/fields.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/format.h"
#include "tfm/model/model_folder.h"
#include "tfm/tensor/parameter_summary.h"
#include "tfm/training/checkpoint.h"

namespace tfm {
namespace {

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

/// report.json, a line a value; a group's under its name.
std::string report_lines(const fs::path& folder) {
  if (!fs::exists(folder / report_file))
    return "  none: training has not ended, or report.json is not there\n";
  const auto report = nlohmann::ordered_json::parse(read_file(folder / report_file), nullptr,
                                                    /*allow_exceptions=*/false);
  if (!report.is_object()) return "  report.json is damaged\n";
  const auto text = [](const auto& value) {
    return value.is_string() ? value.template get<std::string>() : value.dump();
  };
  std::string lines;
  for (const auto& [name, value] : report.items()) {
    std::string whole = text(value);
    if (value.is_object()) {
      whole.clear();
      for (const auto& [part, number] : value.items())
        whole += fmt::format("{}{} {}", whole.empty() ? "" : "  ", part, text(number));
    }
    lines += fmt::format("  {:<20} {}\n", name, whole);
  }
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

int model_info_command(const ModelOptions& options) {
  const auto folder = options.folder.empty() ? default_model() : options.folder;
  if (!fs::exists(folder / config_file) || !fs::exists(folder / weights_file)) {
    throw ModelError(folder.string(), "is no model folder",
                     "Give the folder that training wrote, e.g. runs/toy.");
  }
  const auto config = load_config(folder / config_file);
  const auto weights = read_safetensors(folder / weights_file).tensors;
  const auto checkpoints = Checkpoints(folder).list();
  Output output;
  output.line(folder.string());
  output.write("\nparameters\n" + format_parameter_summary(summarize_parameters(weights)));
  output.write("\nvocabulary\n" + vocabularies(load_tokenizers(config.tokenizer, folder)));
  output.write("\nreport\n" + report_lines(folder));
  output.write(fmt::format("\non disk\n  weights {}, all {}, of which {} checkpoints {}\n",
                           format_bytes(static_cast<double>(fs::file_size(folder / weights_file))),
                           format_bytes(bytes_under(folder)), checkpoints.size(),
                           format_bytes(bytes_under(folder / "checkpoints"))));
  output.write("\nconfig that differs from the defaults\n" + config_lines(config));
  output.finish();
  return 0;
}

}  // namespace tfm
