// What translate and evaluate share: the model the user means, on the device he means, with his decoding options over the model's own.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tfm/cli/options.h"
#include "tfm/translate/model_folder.h"

namespace tfm {

/// folder empty: the default model, which is said on the log. decoding: "decoding.key=value". Throws ConfigError, ModelError.
TranslationModel load_for_decoding(const std::filesystem::path& folder, const RuntimeOptions& runtime, const std::vector<std::string>& decoding);

}  // namespace tfm
