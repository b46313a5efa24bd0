// Loads models for translate, score and evaluate, with the options of the command line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runtime_options.h"
#include "tfm/model/model.h"

namespace tfm {

/// Loads the models in the folders, or the default model if `folders` is empty; the log names the
/// default model. The decoding options ("decoding.key=value") override the config of the first
/// model. Throws ModelError if a model can't be loaded or the machine does not have the device, and
/// ConfigError if the name of the device or an option is wrong.
std::vector<Model> load_models(const std::vector<std::filesystem::path>& folders,
                               const RuntimeOptions& runtime,
                               const std::vector<std::string>& decoding);
/// Does the same for a device that configure_translation() returned.
std::vector<Model> load_models(const std::vector<std::filesystem::path>& folders,
                               const std::string& device, const std::vector<std::string>& decoding);

/// Configures LibTorch's threads and memory for translation. Returns the device. Throws as
/// resolve_device (tensor/runtime.h) does.
std::string configure_translation(const RuntimeOptions& runtime);

/// Warns if a process is training in the model folder, because the model may then change. The
/// warning says which model is used.
void warn_if_training(const std::filesystem::path& folder);

}  // namespace tfm
