// What translate and evaluate share: the models the user means, on the device he means, with his
// decoding options over the first model's own.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runtime_options.h"
#include "tfm/model/model.h"

namespace tfm {

/// At least one model. No folder: the default model, which is said on the log. decoding:
/// "decoding.key=value". Throws ConfigError, ModelError.
std::vector<Model> load_models(const std::vector<std::filesystem::path>& folders,
                               const RuntimeOptions& runtime,
                               const std::vector<std::string>& decoding);

}  // namespace tfm
