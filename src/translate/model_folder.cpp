#include "tfm/translate/model_folder.h"

#include <cstdlib>

#include "tfm/config/config_file.h"
#include "tfm/core/error.h"
#include "tfm/core/files.h"

namespace tfm {

namespace fs = std::filesystem;

VocabSizes vocab_sizes(const TokenizerPair& tokenizers) {
  return {.source = tokenizers.source->size(), .target = tokenizers.target->size(), .source_pad = tokenizers.source->special().pad};
}

TranslationModel load_model(const fs::path& folder, torch::Device device) {
  if (!fs::is_directory(folder)) throw ModelError(folder.string(), "is no model folder", "Give the folder that training wrote, e.g. runs/toy.");
  for (const char* name : {config_file, weights_file}) {
    if (fs::exists(folder / name)) continue;
    throw ModelError(folder.string(), std::string("holds no ") + name,
                     "Give a folder that training wrote; one whose training has not validated or saved yet has no model.");
  }
  TranslationModel model;
  model.device = device;
  model.config = load_config(folder / config_file);
  model.tokenizers = load_tokenizers(model.config.tokenizer, folder);
  model.network = Transformer(model.config.model, vocab_sizes(model.tokenizers));
  load_parameters(*model.network, read_safetensors(folder / weights_file).tensors, folder / weights_file);
  model.network->to(device);
  model.network->eval();
  return model;
}

void save_description(const fs::path& folder, const Config& config, const TokenizerPair& tokenizers) {
  make_folder(folder);
  write_file(folder / config_file, write_config(config));
  save_tokenizers(tokenizers, folder);
}

fs::path default_model(const fs::path& runs) {
  if (const char* named = std::getenv("TFM_MODEL"); named != nullptr && *named != '\0') return named;
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
    throw ModelError("", "no model: $TFM_MODEL is not set and there is no trained run under " + runs.string(),
                     "Train one (tfm train --config configs/toy.yaml) or name one with --model FOLDER.");
  return newest;
}

}  // namespace tfm
