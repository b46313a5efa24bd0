// The weights of a network that only translates, each packed once for the CPU's product kernels
// (packed_weight.h), before the first product. linear (linear.h) multiplies through them if the
// ForwardContext has them. Small matrices are multiplied by kernels of our own: in int8 if int8 is
// wanted and the processor has the instructions (int8_gemm.h), else in fp32
// (batch_invariant_gemm.h); without AVX-512 so are all matrices that are multiplied in fp32. The
// network's weights must not change while their packed copies are in use. Several threads may
// multiply at a time.
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
  /// A row's product, bit for bit, does not depend on the rows that are multiplied with it: fp32
  /// through batch_invariant_gemm.h, int8 as it is. Not with bf16.
  bool batch_invariant = false;
  /// The slot of the part of which select_rows takes rows: that part is not multiplied as a whole,
  /// and not packed.
  std::optional<std::size_t> selected_slot = std::nullopt;
  /// Called with each weight, whole or part, that a copy has replaced.
  std::function<void(const torch::Tensor&)> on_packed = {};
};

class PackedWeights {
 public:
  /// parts: by slot, as LinearParts has them.
  PackedWeights(std::span<const LinearPart> parts, const PackingOptions& options);

  /// How a network computes through these weights, which must outlive the context.
  ForwardContext context() const;

  /// x [..., in] -> [..., rows of the part]. Not for the selected slot.
  torch::Tensor multiply(const torch::Tensor& x, const LinearPart& part) const;

  /// Some rows of a part that is a whole weight, packed for their own number. rows [N] int64. If
  /// int8 is wanted the rows are int8, also of a weight that is small and would as a whole be fp32
  /// on a processor without VNNI: the rows keep the scales of the whole.
  PackedWeight select_rows(const LinearPart& part, const torch::Tensor& rows) const;

 private:
  WeightFormat format_for(const torch::Tensor& weight) const;
  PackedWeight pack(const LinearPart& part) const;

  WeightFormat format_;
  bool batch_invariant_;
  std::vector<std::optional<PackedWeight>> weights_;  // by slot; the selected slot has none
  std::optional<QuantizedMatrix> selected_;           // int8: what rows are taken of
};

}  // namespace tfm
