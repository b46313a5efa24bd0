// The settings of a forward pass, mainly the copies of the weights that it multiplies by. Every
// module receives the context as an argument and passes it to linear (linear.h), so no state of the
// thread changes a result. The default context multiplies in fp32 by the parameters themselves.
#pragma once

namespace tfm {

class PackedWeights;
class WeightCasts;

/// The pointers must stay valid while the context is in use. With gradient checkpointing, it is in
/// use until the backward pass has ended.
struct ForwardContext {
  /// If not nullptr, linear multiplies by these packed weights, without gradients
  /// (packed_weights.h).
  const PackedWeights* packed = nullptr;
  /// If not nullptr, linear multiplies in bf16, with fp32 gradients of the weights (autocast.h).
  WeightCasts* casts = nullptr;
  /// If true, activation functions give a number the same result at every position of a tensor
  /// (activation.h).
  bool batch_invariant = false;
  /// If true, a decoder stores its keys and values in bf16.
  bool bf16_kv_cache = false;
};

}  // namespace tfm
