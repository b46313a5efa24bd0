#include "tfm/model/model_folder.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tfm/config/config_file.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/nn/layers.h"

namespace tfm {

namespace fs = std::filesystem;

VocabSizes vocab_sizes(const TokenizerPair& tokenizers) {
  return {.source = tokenizers.source->size(),
          .target = tokenizers.target->size(),
          .source_pad = tokenizers.source->special().pad,
          .target_pad = tokenizers.target->special().pad};
}

namespace {

/// A model without a report, or with one that tells nothing of alignments, is whole all the same.
std::optional<AlignmentHead> reported_alignment_head(const fs::path& folder,
                                                     const ModelConfig& config) {
  if (!fs::exists(folder / report_file)) return std::nullopt;
  const auto report =
      nlohmann::json::parse(read_file(folder / report_file), nullptr, /*allow_exceptions=*/false);
  const nlohmann::json::json_pointer place("/alignment");
  if (!report.is_object() || !report.contains(place) || !report[place].is_object())
    return std::nullopt;
  try {
    auto head = parse_alignment_head(report[place].value("head", "mean"), config);
    head.after_reading = report[place].value("after_reading", false);
    return head;
  } catch (const std::exception&) {  // of another kind, or another model's
    return std::nullopt;
  }
}

/// Training refuses this too; an imported folder, or one that was put together by hand, has not
/// been trained.
void require_source_end(const TranslationModel& model, const fs::path& folder) {
  if (!model.config.data.source_eos || model.tokenizers.source->special().eos >= 0) return;
  throw ModelError(folder.string(),
                   "its source vocabulary has no token '" + model.config.tokenizer.eos_token +
                       "', which ends every source sentence (data.source_eos)",
                   "Use the vocabulary that the model was trained with, or set data.source_eos to "
                   "false if it was trained without.");
}

}  // namespace

TranslationModel load_model(const fs::path& folder, torch::Device device) {
  if (!fs::is_directory(folder))
    throw ModelError(folder.string(), "is no model folder",
                     "Give the folder that training wrote, e.g. runs/toy.");
  for (const char* name : {config_file, weights_file}) {
    if (fs::exists(folder / name)) continue;
    throw ModelError(folder.string(), std::string("holds no ") + name,
                     "Give a folder that training wrote; one whose training has not validated or "
                     "saved yet has no model.");
  }
  TranslationModel model;
  model.folder = folder;
  model.device = device;
  model.config = load_config(folder / config_file);
  model.tokenizers = load_tokenizers(model.config.tokenizer, folder);
  require_source_end(model, folder);
  {
    const EmptyWeightsGuard empty;
    model.network = Transformer(model.config.model, vocab_sizes(model.tokenizers));
  }
  const auto weights = read_safetensors(folder / weights_file).tensors;
  assign_parameters(*model.network, weights, folder / weights_file);
  // What is kept in another type was converted, out of the mapping.
  model.mapped = device.is_cpu() && std::ranges::all_of(weights, [](const auto& named) {
                   return named.second.scalar_type() == torch::kFloat32;
                 });
  model.network->to(device);
  model.network->eval();
  model.best_alignment_head = reported_alignment_head(folder, model.config.model);
  return model;
}

void save_config_and_tokenizers(const fs::path& folder, const Config& config,
                                const TokenizerPair& tokenizers) {
  make_folder(folder);
  write_file(folder / config_file, write_config(config));
  save_tokenizers(tokenizers, folder);
}

fs::path default_model(const fs::path& runs) {
  if (const char* named = std::getenv("TFM_MODEL"); named != nullptr && *named != '\0')
    return named;
  fs::path newest;
  fs::file_time_type newest_time;
  std::error_code ignored;  // no folder of runs is the same as no run
  for (const auto& entry : fs::directory_iterator(runs, ignored)) {
    const auto weights = entry.path() / weights_file;
    if (!fs::exists(weights)) continue;
    const auto time = fs::last_write_time(weights);
    if (newest.empty() || time > newest_time) {
      newest = entry.path();
      newest_time = time;
    }
  }
  if (newest.empty())
    throw ModelError(
        "", "no model: $TFM_MODEL is not set and there is no trained run under " + runs.string(),
        "Train one (tfm train --config configs/toy.yaml) or name one with --model FOLDER.");
  return newest;
}

}  // namespace tfm
