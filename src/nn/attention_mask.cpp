#include "tfm/nn/attention_mask.h"

namespace tfm {

torch::Tensor padding_mask(const torch::Tensor& ids, int64_t pad) {
  return ids.ne(pad).unsqueeze(1).unsqueeze(1);
}

torch::Tensor subsequent_mask(int64_t length, torch::Device device) {
  const auto options = torch::TensorOptions().dtype(torch::kBool).device(device);
  return torch::ones({length, length}, options).tril().unsqueeze(0).unsqueeze(0);
}

torch::Tensor AttentionMask::materialize(int64_t query_length, torch::Device device) const {
  if (!causal) return mask;
  const auto causal_mask = subsequent_mask(query_length, device);
  return mask.defined() ? mask.logical_and(causal_mask) : causal_mask;
}

}  // namespace tfm
