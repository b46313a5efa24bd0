// Small models with reproducible weights, for tests.
#pragma once

#include <torch/types.h>
#include <torch/utils.h>

#include "tfm/nn/transformer.h"

namespace tfm {

inline constexpr int64_t test_pad = 0;
inline constexpr int64_t test_bos = 1;
inline constexpr int64_t test_vocab = 13;

inline ModelConfig small_config() {
  ModelConfig config;
  config.encoder_layers = 2;
  config.decoder_layers = 2;
  config.hidden_size = 16;
  config.heads = 4;
  config.transformer_ff = 24;
  config.dropout = 0;
  return config;
}

/// Returns a model in evaluation mode, with weights drawn from the seed.
inline Transformer make_model(const ModelConfig& config, int64_t seed = 3) {
  torch::manual_seed(static_cast<uint64_t>(seed));
  Transformer model(config, VocabSizes{.source = test_vocab,
                                       .target = test_vocab,
                                       .source_pad = test_pad,
                                       .target_pad = test_pad,
                                       .target_bos = test_bos});
  model->eval();
  return model;
}

inline torch::Tensor ids(std::initializer_list<std::initializer_list<int64_t>> rows) {
  std::vector<torch::Tensor> tensors;
  for (const auto& row : rows)
    tensors.push_back(torch::tensor(std::vector<int64_t>(row), torch::kInt64));
  return torch::stack(tensors);
}

}  // namespace tfm
