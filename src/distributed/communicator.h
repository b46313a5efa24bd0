// What a World needs of an engine; the engine's own headers stay in the file that implements it.
#pragma once

#include <torch/types.h>

#include <chrono>
#include <memory>

#include "tfm/distributed/process_group.h"

namespace tfm {

class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual Pending sum(const torch::Tensor& tensor, std::chrono::milliseconds timeout) = 0;
  virtual Pending broadcast(const torch::Tensor& tensor, std::chrono::milliseconds timeout) = 0;
};

/// Returns when all ranks are connected. Throws CommunicationError.
std::unique_ptr<Communicator> connect(const RankEnvironment& environment, const Patience& patience);

}  // namespace tfm
