// Declares the interface through which a ProcessGroup calls c10d. Only the implementation
// (c10d_backend.cpp) includes the headers of c10d.
#pragma once

#include <torch/types.h>

#include <chrono>
#include <memory>

#include "tfm/distributed/process_group.h"

namespace tfm {

class CollectiveBackend {
 public:
  virtual ~CollectiveBackend() = default;
  virtual CollectiveWork sum(const torch::Tensor& tensor, std::chrono::milliseconds timeout) = 0;
  virtual CollectiveWork broadcast(const torch::Tensor& tensor,
                                   std::chrono::milliseconds timeout) = 0;
  /// Does what ProcessGroup::check_device does.
  virtual void check_device(const torch::Device& device) = 0;
};

/// Connects to all ranks. Throws CommunicationError if they do not connect in time, or if tfm was
/// built without c10d.
std::unique_ptr<CollectiveBackend> connect(const RankEnvironment& environment,
                                           const Timeouts& timeouts);

}  // namespace tfm
