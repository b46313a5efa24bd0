// Sums gradients over all ranks while the backward pass still runs (Li et al. 2020, PyTorch
// Distributed, section 3.2): parameters are laid into flat buckets in about the order in which
// their gradients come, last layer first, and a bucket travels as soon as its last gradient is
// there. Buckets leave in one fixed order, whatever the order on this rank, so all ranks make the
// same calls. Afterwards every rank holds the same bits.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "tfm/distributed/process_group.h"

namespace tfm {

class GradientReducer {
 public:
  /// Hooks into the gradients of these parameters, which it keeps (shared storage); group must
  /// outlive it. Takes memory of the gradients' size once more. bucket_bytes 0: 25 MB, less for
  /// small models so that there are several buckets. In a group of one it does nothing.
  GradientReducer(const ProcessGroup& group, const std::vector<torch::Tensor>& parameters,
                  std::int64_t bucket_bytes = 0);
  ~GradientReducer();
  GradientReducer(const GradientReducer&) = delete;
  GradientReducer& operator=(const GradientReducer&) = delete;

  /// The next backward pass is the update's last: its gradients are to be summed as they come, with
  /// what earlier passes left in them.
  void arm();
  /// Before an update's passes are made again because one of them failed. Sums that left already
  /// are whole and stay; gradients that had not come are taken in the pass after the next arm().
  void reset();
  /// After that pass: waits, and leaves every parameter's gradient as the sum over the ranks. A
  /// parameter that had none on any rank has none still.
  void finish();

  std::size_t bucket_count() const;

 private:
  class Buckets;
  std::unique_ptr<Buckets> buckets_;  // none in a group of one
};

}  // namespace tfm
