#include "tfm/translate/attention.h"

#include "attention_maps.h"

namespace tfm {
namespace {

/// Converts the attention maps of one pair, [1, H, T, S] per layer, to an array.
AttentionArray to_array(const std::vector<torch::Tensor>& layers) {
  // [L, H, T, S]
  const auto all = torch::cat(layers).to(torch::kCPU, torch::kFloat32).contiguous();
  const auto* values = all.const_data_ptr<float>();
  return {.layers = all.size(0),
          .heads = all.size(1),
          .rows = all.size(2),
          .columns = all.size(3),
          .values = {values, values + all.numel()}};
}

}  // namespace

PairAttention compute_pair_attention(TranslationModel& model, const EncodedPair& pair) {
  const auto maps = compute_attention(model, {&pair, 1});
  return {.encoder = to_array(maps.encoder),
          .decoder = to_array(maps.decoder.self_attention),
          .cross = to_array(maps.decoder.cross_attention)};
}

}  // namespace tfm
