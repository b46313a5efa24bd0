// The files of a model folder: config.yaml, the tokenizer files, model.safetensors and report.json.
// A model folder is self-contained and safe to load from untrusted sources. A run folder is a model
// folder too: it contains the best model so far. A checkpoint of a run (RUN/checkpoints/step-...)
// has weights, but no config and no tokenizers; those of the run are used.
#pragma once

#include <filesystem>
#include <string>

#include "tfm/config/config.h"
#include "tfm/tokenizer/tokenizer.h"

namespace tfm {

inline constexpr const char* weights_file = "model.safetensors";
inline constexpr const char* packed_file = "int8.safetensors";
inline constexpr const char* config_file = "config.yaml";
inline constexpr const char* report_file = "report.json";

/// Returns the absolute path of a folder without a slash at its end. The last component is then the
/// name of the folder, which identifies a checkpoint. The last component of a path such as
/// "step-00001000/" or "." is not the name.
std::filesystem::path absolute_name(const std::filesystem::path& folder);

/// Returns the folder with the config and tokenizers of the model whose weights are in `folder`:
/// the run folder for a checkpoint of a run, otherwise `folder` itself.
std::filesystem::path description_folder(const std::filesystem::path& folder);

/// Writes config.yaml and the tokenizer files, which are all files that a model folder requires
/// except the weights.
void save_config_and_tokenizers(const std::filesystem::path& folder, const Config& config,
                                const TokenizerPair& tokenizers);

/// Returns the default model folder: $TFM_MODEL if that variable is set and not empty, otherwise
/// the run in `runs` with the newest weights. Throws ModelError if there is neither.
std::filesystem::path default_model(const std::filesystem::path& runs = "runs");

/// Throws ModelError if the folder does not exist, or lacks its weights or its config.
void require_model_folder(const std::filesystem::path& folder);

/// Returns a hint for a name that is not a model folder. For a run that has no model yet, it is the
/// newest checkpoint, which can be used instead. Otherwise, it is the models beside the folder and
/// in `runs`, at most five, those with the newest weights first, or how to train one if there are
/// none.
std::string suggest_models(const std::filesystem::path& wrong,
                           const std::filesystem::path& runs = "runs");

}  // namespace tfm
