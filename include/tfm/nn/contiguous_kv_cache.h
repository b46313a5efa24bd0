// Keys and values that decoding has computed already, one object per decoder layer, so that each
// step projects only its own token. Rows are hypotheses; select keeps, repeats or drops them as the
// search decides.
#pragma once

#include <torch/types.h>

#include <vector>

#include "tfm/nn/attention.h"

namespace tfm {

/// The growing keys and values of one self-attention. Storage doubles, so that a step copies one
/// position and not all of them.
class GrowableKeyValues {
 public:
  /// Appends one position: keys and values [R, H, 1, Dh]. Returns all positions so far, [R, H,
  /// length, Dh].
  KeyValues append(const KeyValues& step);
  /// Row i becomes the former rows[i]. rows [R'] int64.
  void select(const torch::Tensor& rows);
  int64_t length() const { return length_; }

 private:
  KeyValues storage_;  // [R, H, capacity, Dh]
  int64_t length_ = 0;
};

struct LayerKvCache {
  GrowableKeyValues self_attention;
  KeyValues cross_attention;  ///< [R, H, S, Dh], computed once from the encoder's output
};

struct ContiguousKvCache {
  std::vector<LayerKvCache> layers;
  torch::Tensor source_mask;  ///< [R, 1, 1, S]
  int64_t length = 0;         ///< target positions so far

  /// Row i becomes the former rows[i]. rows [R'] int64.
  void select(const torch::Tensor& rows);
};

}  // namespace tfm
