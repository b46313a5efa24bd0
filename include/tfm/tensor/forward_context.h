// Selects the arithmetic of a forward pass, mainly the form of the weights that it multiplies by:
// the fp32 parameters themselves (the default), copies in bf16 or fp16, or weights packed for
// inference. Every module receives a ForwardContext as an argument and passes it to linear
// (linear.h). PyTorch's autocast, in contrast, is thread-local state.
#pragma once

namespace tfm {

class PackedWeights;
class WeightCasts;

/// The pointers must stay valid while the context is in use. With gradient checkpointing, the
/// context is in use until the backward pass has ended.
struct ForwardContext {
  /// If not nullptr, linear multiplies by these packed weights, without gradients
  /// (packed_weights.h).
  const PackedWeights* packed = nullptr;
  /// If not nullptr, linear multiplies in bf16 or fp16, with fp32 gradients of the weights
  /// (autocast.h).
  WeightCasts* casts = nullptr;
  /// If true, the result of an activation function for an element depends only on that element, not
  /// on its position in the tensor (activation.h).
  bool batch_invariant = false;
  /// If true, a decoder stores its keys and values in 8 bits.
  bool int8_kv_cache = false;
};

}  // namespace tfm
