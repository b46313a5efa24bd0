// Values that scripts/make_nn_golden.py computed with PyTorch, and the model that must reproduce
// them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tfm/nn/transformer.h"
#include "tfm/tensor/safetensors.h"

namespace tfm {

struct Golden {
  StateDict tensors;
  Transformer model{nullptr};  ///< with PyTorch's weights, in evaluation mode
};

inline std::vector<std::string> golden_names() {
  return {"post_norm", "pre_norm", "no_bias", "tied", "layerwise", "deviation_norm"};
}

inline ModelConfig golden_config(const std::string& name) {
  ModelConfig config;
  config.encoder_layers = config.decoder_layers = 2;
  config.hidden_size = 8;
  config.heads = 2;
  config.transformer_ff = 12;
  config.dropout = 0;
  config.final_norm = FinalNorm::always;  // torch.nn.Transformer always has a final norm
  config.norm_order = name == "pre_norm" || name == "tied" || name == "deviation_norm"
                          ? NormOrder::pre
                          : NormOrder::post;
  if (name == "deviation_norm") {
    config.norm = Norm::deviation_norm;
    config.norm_epsilon = 1e-6;
  }
  if (name == "layerwise") config.cross_attention = CrossAttention::layerwise;
  config.bias = name != "no_bias";
  config.tied_embeddings = name == "tied" ? TiedEmbeddings::all : TiedEmbeddings::none;
  return config;
}

inline Golden load_golden(const std::string& name) {
  const auto file =
      std::filesystem::path(TFM_SOURCE_DIR) / "tests/nn/golden" / (name + ".safetensors");
  Golden golden;
  golden.tensors = read_safetensors(file).tensors;
  const auto config = golden_config(name);
  golden.model = Transformer(config, VocabSizes{.source = 11, .target = 11, .source_pad = 0});
  StateDict weights;
  const std::string prefix = "weights/";
  for (const auto& [key, tensor] : golden.tensors) {
    if (key.starts_with(prefix)) weights[key.substr(prefix.size())] = tensor;
  }
  load_state_dict(*golden.model, weights, file);
  golden.model->eval();
  return golden;
}

}  // namespace tfm
