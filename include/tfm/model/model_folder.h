// A model in memory for code that uses LibTorch, and the function that loads it from its folder
// (model_files.h). Code without LibTorch uses Model (model.h).
#pragma once

#include <torch/types.h>

#include <filesystem>
#include <optional>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/model/alignment_head.h"
#include "tfm/model/model_files.h"
#include "tfm/nn/transformer.h"
#include "tfm/tensor/device.h"
#include "tfm/tensor/packed_weight.h"
#include "tfm/tensor/safetensors.h"
#include "tfm/tokenizer/tokenizer.h"

namespace tfm {

struct TranslationModel {
  std::filesystem::path folder;  ///< the folder with the weights; empty if the model was not loaded
  Config config;
  TokenizerPair tokenizers;
  Transformer network{nullptr};
  torch::Device device = torch::kCPU;
  /// true if the weights are memory-mapped from their file (safetensors.h)
  bool mapped = false;
  /// the weights in int8 by slot, if the folder has them (model_packing.h)
  std::optional<std::vector<PackedWeight>> packed_int8;
  /// the head that training found to align words best, read from report.json
  std::optional<AlignmentHead> best_alignment_head;
};

/// Returns the sizes and special tokens of the tokenizers' vocabularies.
VocabSizes vocab_sizes(const TokenizerPair& tokenizers);

/// Loads a model folder or a checkpoint of a run. Throws ModelError with the file name if a file is
/// missing, malformed or does not fit the config, and ConfigError if config.yaml is invalid.
TranslationModel load_model(const std::filesystem::path& folder, torch::Device device);

}  // namespace tfm
