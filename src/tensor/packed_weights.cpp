#include "tfm/tensor/packed_weights.h"

#include <c10/core/InferenceMode.h>

namespace tfm {

PackedWeights::PackedWeights(std::span<const LinearPart> parts, const PackingOptions& options)
    : format_(options.format), batch_invariant_(options.batch_invariant), weights_(parts.size()) {
  const c10::InferenceMode no_gradients;
  const auto report = [&](const torch::Tensor& replaced) {
    if (options.on_packed) options.on_packed(replaced);
  };
  for (const auto& part : parts) {
    if (part.slot == options.selected_slot) {
      if (format_ != WeightFormat::int8) continue;
      // The weight is quantised only once. Otherwise each selection would read the fp32 weights,
      // whose memory may have been released.
      selected_ = quantize_rows(part.weight.detach());
      report(part.weight);
      continue;
    }
    if (format_ == WeightFormat::int8 && options.packed_int8 != nullptr) {
      weights_[part.slot] = options.packed_int8->at(part.slot);
      continue;
    }
    const auto& packed = weights_[part.slot].emplace(pack(part));
    if (!std::holds_alternative<PlainFp32>(packed)) report(part.weight_rows());
  }
}

ForwardContext PackedWeights::context() const {
  // Keys and values are rounded like the rows that the weights multiply.
  return {.packed = this,
          .batch_invariant = batch_invariant_,
          .int8_kv_cache = format_ == WeightFormat::int8};
}

/// Returns the format for the parts of a weight. It depends on the size of the whole weight,
/// because its parts may be the queries and keys of attention, which must have the same data type
/// to be multiplied.
WeightFormat PackedWeights::format_for(const torch::Tensor& weight) const {
  const bool small_bf16 = format_ == WeightFormat::bf16 && is_small_weight(weight);
  return small_bf16 ? WeightFormat::fp32 : format_;
}

PackedWeight PackedWeights::pack(const LinearPart& part) const {
  return pack_weight(part.weight_rows(), part.bias_rows(), format_for(part.weight),
                     batch_invariant_);
}

torch::Tensor PackedWeights::multiply(const torch::Tensor& x, const LinearPart& part) const {
  return tfm::multiply(x, weights_.at(part.slot).value());
}

torch::Tensor PackedWeights::multiply_relu(const torch::Tensor& x, const LinearPart& part) const {
  return tfm::multiply_relu(x, weights_.at(part.slot).value());
}

NormalizedLogits PackedWeights::multiply_maxima(const torch::Tensor& x, const LinearPart& part,
                                                int64_t block_size) const {
  return tfm::multiply_maxima(x, weights_.at(part.slot).value(), block_size);
}

PackedWeight PackedWeights::select_rows(const LinearPart& part, const torch::Tensor& rows) const {
  const auto select = [&rows](const torch::Tensor& tensor) {
    return tensor.defined() ? tensor.detach().index_select(0, rows) : tensor;
  };
  if (format_ != WeightFormat::int8) {
    const auto weight = select(part.weight);
    return pack_weight(weight, select(part.bias), format_for(weight), batch_invariant_);
  }
  const auto whole = selected_ ? *selected_ : quantize_rows(part.weight.detach());
  return pack_weight(
      QuantizedMatrix{select(whole.values), select(whole.scales), select(whole.sums)},
      select(part.bias));
}

}  // namespace tfm
