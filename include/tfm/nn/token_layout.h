// The layout of a batch of sentences in a tensor: padded to the longest sentence, [B, T, ...], or
// one after another without padding, [N, ...]. Projections, norms and feed-forward layers process
// each token by itself and do not need the layout. Attention takes the layouts of its queries and
// its memory. Either both are padded, or neither is.
#pragma once

#include <torch/types.h>

#include <variant>

#include "tfm/tensor/unpadded_layout.h"

namespace tfm {

struct PaddedLayout {
  /// [B, 1, 1, T] bool: true for each token that queries may attend to (padding_mask in
  /// attention_mask.h). Undefined if they may attend to all tokens.
  torch::Tensor mask{};
};

using TokenLayout = std::variant<PaddedLayout, UnpaddedLayout>;

}  // namespace tfm
