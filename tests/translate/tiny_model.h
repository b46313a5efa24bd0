// A model with random weights and a small word vocabulary, for tests that do not depend on
// translation quality.
#pragma once

#include <torch/utils.h>

#include "tfm/model/model_folder.h"

namespace tfm {

inline TranslationModel tiny_model(uint64_t seed = 1,
                                   const std::string& words = "a b c d e f g h i j") {
  TranslationModel model;
  auto& config = model.config;
  config.model.encoder_layers = config.model.decoder_layers = 2;
  config.model.hidden_size = 16;
  config.model.heads = 2;
  config.model.transformer_ff = 32;
  config.tokenizer.kind = TokenizerKind::word;
  config.data.max_length = 12;
  config.decoding.max_length = 8;
  const std::vector<std::string> lines{words};
  model.tokenizers = build_tokenizers(config.tokenizer, lines, lines);
  torch::manual_seed(seed);
  model.network = Transformer(config.model, vocab_sizes(model.tokenizers));
  model.network->eval();
  return model;
}

}  // namespace tfm
