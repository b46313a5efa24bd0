// A model in memory, as the code that sees LibTorch works with it, and how it comes from its folder
// (model_files.h). Code that does not see LibTorch holds a Model (model.h).
#pragma once

#include <torch/types.h>

#include <filesystem>
#include <optional>

#include "tfm/config/config.h"
#include "tfm/model/alignment_head.h"
#include "tfm/model/model_files.h"
#include "tfm/nn/transformer.h"
#include "tfm/tensor/device.h"
#include "tfm/tensor/safetensors.h"
#include "tfm/tokenizer/tokenizer.h"

namespace tfm {

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

/// Throws ModelError (ConfigError for its config.yaml) with the file that is missing or does not
/// fit.
TranslationModel load_model(const std::filesystem::path& folder, torch::Device device);

}  // namespace tfm
