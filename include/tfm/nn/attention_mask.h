// Attention masks. In every mask, true means that a query may attend to a key (as in PyTorch's
// scaled_dot_product_attention). A mask broadcasts to [B, H, T, S]. A query that may not attend to
// any key gets an all-zero result, never NaN.
#pragma once

#include <torch/types.h>

namespace tfm {

/// Returns the mask that hides padding keys: ids [B, S] -> [B, 1, 1, S] bool.
torch::Tensor padding_mask(const torch::Tensor& ids, int64_t pad);

/// Returns the causal mask, [1, 1, T, T] bool: position t attends to positions 0..t.
torch::Tensor subsequent_mask(int64_t length, torch::Device device);

/// The mask of an attention over padded sentences. The causal flag is kept apart from the tensor
/// because fused kernels implement causality without reading a mask.
struct AttentionMask {
  torch::Tensor mask;   ///< broadcasts to [B, H, T, S]; undefined to allow every key
  bool causal = false;  ///< query t attends to keys 0..t at most; requires T = S

  /// Combines the mask and the causal flag into one mask tensor that broadcasts to [B, H, T, S].
  /// Returns an undefined tensor if every key is allowed.
  torch::Tensor materialize(int64_t query_length, torch::Device device) const;
};

}  // namespace tfm
