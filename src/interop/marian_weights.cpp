#include "marian_weights.h"

#include "layer_parts.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

constexpr const char* output_name = "decoder_ff_logit_out";

std::string marian_name(const LayerPart& part) {
  return part.stack + "_l" + std::to_string(part.layer + 1) +
         (part.sublayer == "self_attention"    ? "_self"
          : part.sublayer == "cross_attention" ? "_context"
                                               : "_ffn");
}

std::string matrix_letter(const LayerPart& part, const std::string& which) {
  if (part.sublayer == "feed_forward") return which == "input" ? "1" : "2";
  return which.substr(0, 1);  // q, k, v or o
}

/// Returns what follows the names of norms.
std::string norm_suffix(const ModelConfig& config) {
  return config.norm_order == NormOrder::pre ? "_pre" : "";
}

std::string norm_name(const LayerPart& part) {
  return marian_name(part) + (part.sublayer == "feed_forward" ? "_ffn" : "_Wo");
}

NormWeights take_norm(ImportedWeights& weights, const std::string& name, const std::string& suffix,
                      int64_t width) {
  return {weights.consume(name + "_ln_scale" + suffix, {width}),
          weights.consume(name + "_ln_bias" + suffix, {width})};
}

void put_row(StateDict& arrays, const std::string& name, const torch::Tensor& vector) {
  arrays[name] = vector.unsqueeze(0);
}

void put_norm(StateDict& arrays, const std::string& name, const std::string& suffix,
              const NormWeights& norm) {
  put_row(arrays, name + "_ln_scale" + suffix, norm.scale);
  put_row(arrays, name + "_ln_bias" + suffix, norm.shift);
}

void put_embeddings(StateDict& arrays, const StateDict& weights, const ModelConfig& config,
                    const VocabularyRows& rows) {
  if (config.positions == Positions::learned)
    arrays[marian_positions] = weights.at("source_positions.learned.weight");
  const auto& source = weights.at("source_embedding.weight");
  if (config.tied_embeddings == TiedEmbeddings::all) {
    arrays["Wemb"] = source.slice(0, 0, rows.source);
  } else {
    arrays["encoder_Wemb"] = source.slice(0, 0, rows.source);
    arrays["decoder_Wemb"] = weights.at("target_embedding.weight").slice(0, 0, rows.target);
  }
  if (config.tied_embeddings == TiedEmbeddings::none)
    arrays[std::string(output_name) + "_W"] =
        weights.at("output.weight").slice(0, 0, rows.target).t();
  put_row(arrays, std::string(output_name) + "_b",
          own_output_bias(weights, config, rows.target).slice(0, 0, rows.target));
}

}  // namespace

StateDict marian_layers(ImportedWeights& weights, const ModelConfig& config) {
  const int64_t width = config.hidden_size;
  const int64_t inner = config.transformer_ff;
  const auto suffix = norm_suffix(config);
  const auto linear = [&](const LayerPart& part, const std::string& which) {
    const int64_t out = which == "input" ? inner : width;
    const int64_t in = part.sublayer == "feed_forward" && which == "output" ? inner : width;
    const auto name = marian_name(part);
    const auto letter = matrix_letter(part, which);
    return LinearWeights{weights.consume(name + "_W" + letter, {in, out}).t().contiguous(),
                         weights.consume(name + "_b" + letter, {out})};
  };
  const auto norm = [&](const LayerPart& part) {
    return take_norm(weights, norm_name(part), suffix, width);
  };
  auto layers = layer_weights(config, {.linear = linear, .norm = norm});
  for (const std::string stack : {"encoder", "decoder"}) {
    if (!config.has_final_norm()) break;
    const auto top = take_norm(weights, stack + "_top", "", width);
    layers[stack + ".final_norm.scale"] = top.scale;
    layers[stack + ".final_norm.shift"] = top.shift;
  }
  if (config.positions == Positions::learned) {
    for (const char* side : {"source", "target"}) {
      layers[std::string(side) + "_positions.learned.weight"] =
          weights.consume(marian_positions, {config.max_positions, width});
    }
  }
  return layers;
}

ImportedEmbeddings marian_embeddings(ImportedWeights& weights, const MarianConfig& config) {
  const int64_t width = config.model.hidden_size;
  const std::string output = output_name;
  ImportedEmbeddings result;
  if (weights.has("Wemb")) {
    if (config.source_size != config.target_size) {
      throw ModelError(weights.origin().string(),
                       c10::str("dim-vocabs is [", config.source_size, ", ", config.target_size,
                                "], but source and target share the embeddings 'Wemb'"));
    }
    result.source = weights.consume("Wemb", {config.source_size, width});
  } else {
    result.source = weights.consume("encoder_Wemb", {config.source_size, width});
    result.target = weights.consume("decoder_Wemb", {config.target_size, width});
  }
  if (weights.has(output + "_W"))
    result.output = weights.consume(output + "_W", {width, config.target_size}).t().contiguous();
  if (weights.has(output + "_Wt"))
    result.output = weights.consume(output + "_Wt", {config.target_size, width});
  result.bias = weights.has(output + "_b") ? weights.consume(output + "_b", {config.target_size})
                                           : torch::zeros({config.target_size});
  return result;
}

StateDict marian_arrays(const StateDict& weights, const ModelConfig& config,
                        const VocabularyRows& rows) {
  StateDict arrays;
  for (const LayerPart& part : list_layer_parts(config)) {
    for (const auto& which : linear_names(part)) {
      const auto [weight, bias] = own_linear(weights, part, which);
      arrays[marian_name(part) + "_W" + matrix_letter(part, which)] = weight.t();
      put_row(arrays, marian_name(part) + "_b" + matrix_letter(part, which), bias);
    }
    put_norm(arrays, norm_name(part), norm_suffix(config), own_norm(weights, config, part));
  }
  for (const std::string stack : {"encoder", "decoder"}) {
    if (config.has_final_norm())
      put_norm(arrays, stack + "_top", "", own_norm(weights, config, stack));
  }
  put_embeddings(arrays, weights, config, rows);
  return arrays;
}

}  // namespace tfm
