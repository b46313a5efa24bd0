// A model on disk, complete and safe to load from a stranger: config.yaml, the tokenizer's files,
// model.safetensors and report.json in one folder. A run folder is one too: its root holds the best
// model so far.
#pragma once

#include <filesystem>

#include "tfm/config/config.h"
#include "tfm/tokenizer/tokenizer.h"

namespace tfm {

inline constexpr const char* weights_file = "model.safetensors";
inline constexpr const char* config_file = "config.yaml";
inline constexpr const char* report_file = "report.json";

/// Writes config.yaml and the tokenizers: what a folder needs beside its weights.
void save_config_and_tokenizers(const std::filesystem::path& folder, const Config& config,
                                const TokenizerPair& tokenizers);

/// The model to use if the user names none: $TFM_MODEL, else the run under `runs` whose weights are
/// newest. Throws ModelError if there is none.
std::filesystem::path default_model(const std::filesystem::path& runs = "runs");

}  // namespace tfm
