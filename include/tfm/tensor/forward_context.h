// What a forward pass is told besides its inputs: through which copies of the weights it
// multiplies. Every module receives the context as an argument and hands it on to linear
// (linear.h), so nothing that lives elsewhere on the thread changes a result. The default context
// multiplies in fp32 with the parameters themselves.
#pragma once

namespace tfm {

class PackedWeights;
class WeightCasts;

/// The pointers must stay valid for as long as the context is in use: with gradient checkpointing
/// until the backward pass has ended.
struct ForwardContext {
  /// If not nullptr, products go through these copies, without gradient (packed_weights.h).
  const PackedWeights* packed = nullptr;
  /// If not nullptr, products are computed in bf16, with gradients in fp32 (autocast.h).
  WeightCasts* casts = nullptr;
  /// Whether activation functions must not depend on where a number stands in its tensor
  /// (activation.h).
  bool batch_invariant = false;
  /// Whether a decoder keeps keys and values in bf16.
  bool bf16_kv_cache = false;
};

}  // namespace tfm
