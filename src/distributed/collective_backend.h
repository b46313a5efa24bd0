// What a ProcessGroup needs of an engine; the engine's own headers stay in the file that implements
// it.
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
};

/// Returns when all ranks are connected. Throws CommunicationError.
std::unique_ptr<CollectiveBackend> connect(const RankEnvironment& environment,
                                           const Timeouts& patience);

}  // namespace tfm
