// Weights packed for inference: each weight of a network is converted once to the layout of its CPU
// kernel (packed_weight.h). linear (linear.h) multiplies by the packed weights if the
// ForwardContext has them.
// tfm's own kernels multiply by int8 matrices (int8_gemm.h), and in fp32 by small matrices
// (batch_invariant_gemm.h). They also multiply by all other fp32 matrices unless the processor is
// from Intel and has AVX-512.
// The weights of the network must not change while the packed weights are in use. Several threads
// may multiply at once.
#pragma once

#include <torch/types.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "tfm/tensor/forward_context.h"
#include "tfm/tensor/linear_part.h"
#include "tfm/tensor/packed_weight.h"

namespace tfm {

struct PackingOptions {
  WeightFormat format = WeightFormat::fp32;
  /// If true, the result of a row does not depend on the other rows, bit for bit: fp32 then uses
  /// batch_invariant_gemm.h, and int8 is exact anyway. Cannot be combined with bf16.
  bool batch_invariant = false;
  /// The slot of the part that select_rows takes rows from. This part is not packed as a whole, so
  /// linear and multiply must not be called with it.
  std::optional<std::size_t> selected_slot = std::nullopt;
  /// Weights of all slots in the format int8 that are packed already (packed_file.h); may be null.
  const std::vector<PackedWeight>* packed_int8 = nullptr;
  /// Called with each weight, or slice of a weight, that a packed copy has replaced.
  std::function<void(const torch::Tensor&)> on_packed = {};
};

class PackedWeights {
 public:
  /// Packs the parts, which are ordered by slot (LinearParts::all).
  PackedWeights(std::span<const LinearPart> parts, const PackingOptions& options);

  /// Returns a context with which a network multiplies by these weights. This object must
  /// outlive the context.
  ForwardContext context() const;

  /// Multiplies x [..., in] by a part. Returns [..., rows of the part]. The part must not be the
  /// one with the selected slot.
  torch::Tensor multiply(const torch::Tensor& x, const LinearPart& part) const;
  /// Applies ReLU to the result of multiply.
  torch::Tensor multiply_relu(const torch::Tensor& x, const LinearPart& part) const;
  /// Finds the maxima of the result of multiply, for x [N, in] (multiply_maxima).
  NormalizedLogits multiply_maxima(const torch::Tensor& x, const LinearPart& part,
                                   std::int64_t block_size) const;

  /// Packs the given rows, [N] int64, of a part that covers a whole weight. Returns a weight with N
  /// rows. In the format int8, the rows keep the numbers and scales of the quantised whole weight.
  PackedWeight select_rows(const LinearPart& part, const torch::Tensor& rows) const;

 private:
  WeightFormat format_for(const torch::Tensor& weight) const;
  PackedWeight pack(const LinearPart& part) const;

  WeightFormat format_;
  bool batch_invariant_;
  std::vector<std::optional<PackedWeight>> weights_;  // by slot; empty for the selected slot
  std::optional<QuantizedMatrix> selected_;           // weight of the selected slot; int8 only
};

}  // namespace tfm
