#include "huggingface_names.h"

#include <fmt/format.h>

#include "tfm/nn/positional_encoding.h"

namespace tfm {
namespace {

std::string huggingface_name(const LayerPart& part) {
  return fmt::format("model.{}.layers.{}{}", part.stack, part.layer,
                     part.sublayer == "self_attention"    ? ".self_attn"
                     : part.sublayer == "cross_attention" ? ".encoder_attn"
                                                          : "");
}

}  // namespace

std::string huggingface_linear(const LayerPart& part, const std::string& which) {
  if (part.sublayer == "feed_forward")
    return huggingface_name(part) + (which == "input" ? ".fc1" : ".fc2");
  return huggingface_name(part) + (which == "output"  ? ".out_proj"
                                   : which == "query" ? ".q_proj"
                                   : which == "key"   ? ".k_proj"
                                                      : ".v_proj");
}

std::string huggingface_norm(const LayerPart& part) {
  return huggingface_name(part) +
         (part.sublayer == "feed_forward" ? ".final_layer_norm" : "_layer_norm");
}

std::string huggingface_final_norm(const std::string& stack) {
  return fmt::format("model.{}.layer_norm", stack);
}

std::string huggingface_embedding(const std::string& stack) {
  return fmt::format("model.{}.embed_tokens.weight", stack);
}

std::string huggingface_positions(const std::string& stack) {
  return fmt::format("model.{}.embed_positions.weight", stack);
}

torch::Tensor huggingface_position_table(int64_t rows, int64_t width) {
  return sinusoidal_table(rows, width).index_select(1, halves_order(width));
}

torch::Tensor alternating_order(int64_t width) {
  return torch::arange(width, torch::kInt64).view({2, width / 2}).t().reshape({width});
}

torch::Tensor halves_order(int64_t width) {
  return torch::arange(width, torch::kInt64).view({width / 2, 2}).t().reshape({width});
}

}  // namespace tfm
