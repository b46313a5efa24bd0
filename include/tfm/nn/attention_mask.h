// Attention masks. One meaning everywhere: true = this query may look at this key (as in PyTorch's
// scaled_dot_product_attention); false = hidden. A mask broadcasts to [B, H, T, S]. A query that
// may look at nothing gets an all-zero result, never NaN.
#pragma once

#include <torch/types.h>

namespace tfm {

/// Hides padding keys. ids [B, S] -> [B, 1, 1, S] bool.
torch::Tensor padding_mask(const torch::Tensor& ids, int64_t pad);

/// Hides the future: position t sees 0..t. -> [1, 1, T, T] bool.
torch::Tensor subsequent_mask(int64_t length, torch::Device device);

/// What an attention over padded sentences may see: a mask tensor (undefined: everything), and
/// whether the future is hidden as well. Kept apart from the tensor because fused kernels know
/// causality without reading a mask.
struct AttentionMask {
  torch::Tensor mask;   ///< broadcasts to [B, H, T, S], or undefined
  bool causal = false;  ///< query t sees at most keys 0 to t; T = S

  /// Both as one mask tensor that broadcasts to [B, H, T, S]; undefined where everything may be
  /// seen.
  torch::Tensor materialize(int64_t query_length, torch::Device device) const;
};

}  // namespace tfm
