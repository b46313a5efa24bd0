// How the tokens of a batch of sentences lie in a tensor: each sentence padded to the longest,
// [B, T, ...], or one after another without padding, [N, ...]. Projections, norms and feed-forward
// work on one token at a time and see no difference. Attention asks for the layouts of its queries
// and of what they attend to, which are both of the same kind.
#pragma once

#include <torch/types.h>

#include <variant>

#include "tfm/tensor/unpadded_layout.h"

namespace tfm {

struct PaddedLayout {
  /// Which places hold a token that attention may see, [B, 1, 1, T] bool (padding_mask in
  /// attention_mask.h); undefined: all.
  torch::Tensor mask{};
};

using TokenLayout = std::variant<PaddedLayout, UnpaddedLayout>;

}  // namespace tfm
