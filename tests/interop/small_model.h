// Models with random weights in many architectures, for tests of file formats.
#pragma once

#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "translate/tiny_model.h"

namespace tfm {

/// Draws every parameter at random, including those that are initialised to 0 or 1, so that each
/// parameter affects the result.
inline void randomize(Transformer& network, uint64_t seed = 7) {
  const torch::NoGradGuard no_grad;
  torch::manual_seed(seed);
  for (auto& item : network->named_parameters()) {
    item.value().normal_(item.key().ends_with("scale") ? 1.0 : 0.0, 0.3);
  }
}

/// Returns a tiny_model with random parameters, after applying `change` to its config.
inline TranslationModel small_model(const std::function<void(Config&)>& change = {}) {
  auto model = tiny_model();
  if (change) change(model.config);
  const std::vector<std::string> source{"a b c d e f g h i j"};
  const std::vector<std::string> target{model.config.tokenizer.joint ? source.front()
                                                                     : "k l m n o p q r s t u v w"};
  model.tokenizers = build_tokenizers(model.config.tokenizer, source, target);
  model.network = Transformer(model.config.model, vocab_sizes(model.tokenizers));
  randomize(model.network);
  model.network->eval();
  return model;
}

struct Architecture {
  const char* name;
  std::function<void(Config&)> change;
};

/// Returns architectures that CTranslate2 can express: the default, and variants that each change a
/// few config fields.
inline std::vector<Architecture> architectures() {
  return {
      {"PostNorm", [](Config&) {}},
      {"PreNorm", [](Config& c) { c.model.norm_order = NormOrder::pre; }},
      {"PreNormWithoutFinalNorm",
       [](Config& c) {
         c.model.norm_order = NormOrder::pre;
         c.model.final_norm = FinalNorm::never;
       }},
      {"PostNormWithFinalNorm", [](Config& c) { c.model.final_norm = FinalNorm::always; }},
      {"RmsNorm",
       [](Config& c) {
         c.model.norm = Norm::rms_norm;
         c.model.norm_order = NormOrder::pre;
         c.model.norm_epsilon = 1e-3;
       }},
      {"LargeEpsilon", [](Config& c) { c.model.norm_epsilon = 0.05; }},
      {"NoBias", [](Config& c) { c.model.bias = false; }},
      {"NormsThatOnlyNormalise", [](Config& c) { c.model.norm_affine = false; }},
      {"Gelu", [](Config& c) { c.model.activation = Activation::gelu; }},
      {"Silu", [](Config& c) { c.model.activation = Activation::silu; }},
      {"Swiglu", [](Config& c) { c.model.activation = Activation::swiglu; }},
      {"SwigluWithoutBias",
       [](Config& c) {
         c.model.activation = Activation::swiglu;
         c.model.bias = false;
       }},
      {"LearnedPositions",
       [](Config& c) {
         c.model.positions = Positions::learned;
         c.model.max_positions = 20;
       }},
      {"RotaryPositions", [](Config& c) { c.model.positions = Positions::rotary; }},
      {"PositionsInHalves", [](Config& c) { c.model.positions = Positions::sinusoidal_halves; }},
      {"NoPositions", [](Config& c) { c.model.positions = Positions::none; }},
      {"PositionsByToken", [](Config& c) { c.model.positions = Positions::by_token; }},
      {"PositionsByTokenTied",
       [](Config& c) {
         c.model.positions = Positions::by_token;
         c.model.tied_embeddings = TiedEmbeddings::all;
       }},
      {"NoEmbeddingScale", [](Config& c) { c.model.embedding_scale = false; }},
      {"ZeroStart", [](Config& c) { c.model.zero_start = true; }},
      {"TiedAll", [](Config& c) { c.model.tied_embeddings = TiedEmbeddings::all; }},
      {"TiedWithOutputBias",
       [](Config& c) {
         c.model.tied_embeddings = TiedEmbeddings::all;
         c.model.tied_output_bias = true;
       }},
      {"TiedDecoder", [](Config& c) { c.model.tied_embeddings = TiedEmbeddings::decoder; }},
      {"TwoVocabularies", [](Config& c) { c.tokenizer.joint = false; }},
      {"HeadSize", [](Config& c) { c.model.head_size = 6; }},
      {"RotaryHeadSize",
       [](Config& c) {
         c.model.positions = Positions::rotary;
         c.model.head_size = 10;
       }},
      {"UnequalDepth", [](Config& c) { c.model.encoder_layers = 3, c.model.decoder_layers = 1; }},
      {"NoSourceEos", [](Config& c) { c.data.source_eos = false; }}};
}

/// Returns the words of a line.
inline std::vector<std::string> names_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

}  // namespace tfm
