#include "layer_parts.h"

namespace tfm {
namespace {

void add_linear(StateDict& weights, const std::string& name, const LinearWeights& linear) {
  weights[name + ".weight"] = linear.weight;
  weights[name + ".bias"] = linear.bias;
}

void add_attention(StateDict& weights, const std::string& name, const LayerPart& part,
                   const LayerSource& source) {
  const auto query = source.linear(part, "query");
  const auto key = source.linear(part, "key");
  const auto value = source.linear(part, "value");
  weights[name + ".in_weight"] = torch::cat({query.weight, key.weight, value.weight});
  weights[name + ".in_bias"] = torch::cat({query.bias, key.bias, value.bias});
  add_linear(weights, name + ".output", source.linear(part, "output"));
}

void add_sublayer(StateDict& weights, const LayerPart& part, const LayerSource& source) {
  const std::string name = own_name(part);
  if (part.sublayer == "feed_forward") {
    for (const char* which : {"input", "output"})
      add_linear(weights, name + "." + which, source.linear(part, which));
  } else {
    add_attention(weights, name, part, source);
  }
  const auto norm = source.norm(part);
  weights[name + "_residual.norm.scale"] = norm.scale;
  weights[name + "_residual.norm.shift"] = norm.shift;
}

/// Returns the weight, or a vector of `neutral` if the model lacks it.
torch::Tensor find_vector(const StateDict& weights, const std::string& name, int64_t size,
                          double neutral) {
  const auto found = weights.find(name);
  return found != weights.end() ? found->second : torch::full({size}, neutral);
}

NormWeights find_norm(const StateDict& weights, const std::string& name, int64_t width) {
  return {find_vector(weights, name + ".scale", width, 1),
          find_vector(weights, name + ".shift", width, 0)};
}

/// Returns the dimension of a parameter that indexes the hidden vector, or -1 if there is none. In
/// matrices that read the hidden vector, this is the last dimension. In parameters that write the
/// hidden vector, and in norms, it is the first.
int64_t hidden_dimension(const std::string& name, const torch::Tensor& weight) {
  const bool writes = name.find("attention.output.") != std::string::npos ||
                      name.find("feed_forward.output.") != std::string::npos;
  if (writes || name.ends_with("norm.scale") || name.ends_with("norm.shift")) return 0;
  return weight.dim() == 2 ? 1 : -1;
}

}  // namespace

std::vector<LayerPart> list_layer_parts(const ModelConfig& config) {
  std::vector<LayerPart> parts;
  for (int64_t i = 0; i < config.encoder_layers; ++i) {
    for (const char* sublayer : {"self_attention", "feed_forward"})
      parts.push_back({"encoder", i, sublayer});
  }
  for (int64_t i = 0; i < config.decoder_layers; ++i) {
    for (const char* sublayer : {"self_attention", "cross_attention", "feed_forward"})
      parts.push_back({"decoder", i, sublayer});
  }
  return parts;
}

std::vector<std::string> linear_names(const LayerPart& part) {
  if (part.sublayer == "feed_forward") return {"input", "output"};
  return {"query", "key", "value", "output"};
}

std::string own_name(const LayerPart& part) {
  return part.stack + ".layer" + std::to_string(part.layer) + "." + part.sublayer;
}

StateDict layer_weights(const ModelConfig& config, const LayerSource& source) {
  StateDict weights;
  for (const auto& part : list_layer_parts(config)) add_sublayer(weights, part, source);
  return weights;
}

LinearWeights own_linear(const StateDict& weights, const LayerPart& part,
                         const std::string& which) {
  const auto name = own_name(part);
  if (part.sublayer == "feed_forward" || which == "output") {
    const auto& weight = weights.at(name + "." + which + ".weight");
    return {weight, find_vector(weights, name + "." + which + ".bias", weight.size(0), 0)};
  }
  const auto& weight = weights.at(name + ".in_weight");
  const auto bias = find_vector(weights, name + ".in_bias", weight.size(0), 0);
  const std::size_t index = which == "query" ? 0 : which == "key" ? 1 : 2;
  return {weight.chunk(3).at(index), bias.chunk(3).at(index)};
}

NormWeights own_norm(const StateDict& weights, const ModelConfig& config, const LayerPart& part) {
  return find_norm(weights, own_name(part) + "_residual.norm", config.hidden_size);
}

NormWeights own_norm(const StateDict& weights, const ModelConfig& config,
                     const std::string& stack) {
  return find_norm(weights, stack + ".final_norm", config.hidden_size);
}

torch::Tensor own_output_bias(const StateDict& weights, const ModelConfig& config, int64_t tokens) {
  const bool is_tied = config.tied_embeddings != TiedEmbeddings::none;
  return find_vector(weights, is_tied ? "output_bias" : "output.bias", tokens, 0);
}

void permute_hidden(StateDict& weights, const torch::Tensor& order) {
  for (auto& [name, weight] : weights) {
    const auto dimension = hidden_dimension(name, weight);
    if (dimension >= 0) weight = weight.index_select(dimension, order);
  }
}

}  // namespace tfm
