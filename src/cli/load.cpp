#include "tfm/cli/load.h"

#include "tfm/config/fields.h"
#include "tfm/config/validate.h"
#include "tfm/core/error.h"
#include "tfm/nn/runtime.h"

namespace tfm {

TranslationModel load_for_decoding(const std::filesystem::path& folder, const RuntimeOptions& runtime, const std::vector<std::string>& decoding) {
  set_threads(runtime.threads);
  tune_memory();
  const auto device = select_device(runtime.device);
  const auto chosen = folder.empty() ? default_model() : folder;
  auto model = load_model(chosen, device);
  for (const auto& assignment : decoding) {
    const auto equals = assignment.find('=');
    const auto key = assignment.substr(0, equals);
    if (const auto fault = find_field(key)->set(model.config, assignment.substr(equals + 1))) throw ConfigError(key, *fault);
  }
  if (const auto faults = violations(model.config); !faults.empty()) throw ConfigError("", faults.front());
  spdlog::debug("model {} on {}", chosen.string(), describe_runtime(model.device));
  if (folder.empty()) spdlog::info("model: {}", chosen.string());
  return model;
}

}  // namespace tfm
