#include "tfm/run/model_changes.h"

#include <fmt/format.h>

#include <utility>

#include "tfm/config/config_diff.h"
#include "tfm/config/config_file.h"
#include "tfm/config/fields.h"
#include "tfm/config/modifiers.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/model/model_files.h"
#include "tfm/run/fitted_numbers.h"

namespace tfm {

namespace fs = std::filesystem;

Config with_learned_symbols(Config config, const Config& previous) {
  Config asked = previous;
  asked.tokenizer.symbols = config.tokenizer.symbols;
  if (source_symbols(asked) == previous.tokenizer.symbols)
    config.tokenizer.symbols = previous.tokenizer.symbols;
  return config;
}

void check_resumable(const Config& before, const Config& now, const fs::path& file) {
  const auto refused = to_table(diff_configs(before, now, Effect::fixed_in_run));
  if (!refused.empty())
    throw ConfigError(file.string(), "these fields cannot change when a run is resumed:" + refused,
                      "Restore their former values, or begin a new run.");
  const auto& run_folder = field_of(&Config::training, &TrainingConfig::run_folder);
  const auto changed = to_table(diff_configs(before, now, [&](const Field& field) {
    return !field.effects.contains(Effect::fixed_in_run) && &field != &run_folder;
  }));
  if (!changed.empty()) log_info("changed since the last session:{}", changed);
}

Config fit_to_init_from(Config config) {
  const fs::path folder = config.training.init_from;
  const auto description = description_folder(folder);
  for (const auto& file : {description / config_file, folder / weights_file}) {
    if (!fs::exists(file))
      throw ConfigError("training.init_from",
                        fmt::format("{} is not a model folder: it has no {}", folder.string(),
                                    file.filename().string()),
                        suggest_models(folder));
  }
  const auto model = load_config(description / config_file);
  config = with_learned_symbols(std::move(config), model);
  auto run = config;
  if (is_auto_vocab_size(run.tokenizer)) run.tokenizer.vocab_size = model.tokenizer.vocab_size;
  const auto refused = to_table(diff_configs(model, run, Effect::shapes_model));
  if (refused.empty()) return config;
  throw ConfigError(
      "training.init_from",
      "the model in " + folder.string() + " has another architecture than the config:" + refused,
      "Set these fields to the model's values.");
}

}  // namespace tfm
