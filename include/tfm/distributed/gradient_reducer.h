// Sums gradients over all ranks while the backward pass is still running (Li et al. 2020, PyTorch
// Distributed, section 3.2). Parameters are assigned to flat buckets, last layer first, which is
// about the order in which their gradients arrive. The all-reduce of a bucket starts when its last
// gradient has arrived and earlier buckets have started. This fixed order ensures that all ranks
// make the same calls. Afterwards, the gradients of all ranks are identical, bit for bit.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "tfm/distributed/process_group.h"

namespace tfm {

class GradientReducer {
 public:
  /// Registers hooks on the gradients of `parameters` and keeps the tensors, which share their
  /// storage with the model. `group` must outlive the reducer. The buckets need as much memory as
  /// the gradients. A bucket has at most bucket_bytes bytes, unless a single gradient is larger. If
  /// bucket_bytes is 0, the limit is an eighth of the bytes of all gradients, but at least 64 KiB
  /// and at most 25 MiB. In a group of one rank, all functions do nothing.
  GradientReducer(const ProcessGroup& group, const std::vector<torch::Tensor>& parameters,
                  std::int64_t bucket_bytes = 0);
  ~GradientReducer();
  GradientReducer(const GradientReducer&) = delete;
  GradientReducer& operator=(const GradientReducer&) = delete;

  /// Call before the last backward pass of an update. In that pass, each gradient, accumulated over
  /// all passes, is copied to its bucket as soon as it arrives.
  void prepare_for_backward();
  /// Call before repeating the backward passes of an update because one of them failed. Gradients
  /// that are already in their buckets are kept. The other gradients are taken from the pass after
  /// the next prepare_for_backward().
  void reset();
  /// Call after the last backward pass. Waits for all buckets and sets each gradient to the sum
  /// over the ranks. A parameter that has no gradient on any rank stays without a gradient.
  void wait();

  /// The number of buckets; 0 in a group of one rank.
  std::size_t bucket_count() const;

 private:
  class Buckets;
  std::unique_ptr<Buckets> buckets_;  // null in a group of one rank
};

}  // namespace tfm
