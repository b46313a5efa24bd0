// A model on disk, whole and safe to load from a stranger: config.yaml, tokenizer files,
// model.safetensors and report.json. A run folder is one too: its root holds the best model so far.
#pragma once

#include <torch/types.h>

#include <filesystem>
#include <optional>
#include <string>

#include "tfm/config/config.h"
#include "tfm/model/alignment_head.h"
#include "tfm/nn/transformer.h"
#include "tfm/tensor/safetensors.h"
#include "tfm/tokenizer/tokenizer.h"

namespace tfm {

inline constexpr const char* weights_file = "model.safetensors";
inline constexpr const char* config_file = "config.yaml";
inline constexpr const char* report_file = "report.json";

struct TranslationModel {
  std::filesystem::path folder;  ///< where it was loaded from, if anywhere
  Config config;
  TokenizerPair tokenizers;
  Transformer network{nullptr};
  torch::Device device = torch::kCPU;
  /// the weights lie in their file's memory mapping (safetensors.h)
  bool mapped = false;
  std::optional<AlignmentHead> best_alignment_head;  ///< as training found it: report.json's
};

VocabSizes vocab_sizes(const TokenizerPair& tokenizers);

/// Throws ModelError (ConfigError for its config.yaml) naming the file that is missing or does not
/// fit.
TranslationModel load_model(const std::filesystem::path& folder, torch::Device device);

/// Writes config.yaml and the tokenizers: what a folder needs beside its weights.
void save_config_and_tokenizers(const std::filesystem::path& folder, const Config& config,
                                const TokenizerPair& tokenizers);

/// The model to use where the user names none: $TFM_MODEL, else the run under `runs` whose weights
/// are newest. Throws ModelError where there is none.
std::filesystem::path default_model(const std::filesystem::path& runs = "runs");

}  // namespace tfm
