// The processes (ranks) of one run and what they say to each other: sums, broadcasts and barriers
// over c10d, LibTorch's own engine: Gloo for CPU tensors, NCCL for CUDA tensors where it was built
// in. Every rank must make the same calls in the same order. A group of one needs no connection and
// every call returns at once, so callers need no second path. A rank that dies closes its sockets,
// at which every call under way throws.
#pragma once

#include <torch/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tfm/distributed/rank_environment.h"
#include "tfm/distributed/support.h"

namespace tfm {

class CollectiveBackend;

/// How long to wait for a rank that lives but does not answer; one that died is noticed at once.
struct Timeouts {
  std::chrono::milliseconds connect = std::chrono::minutes(5);
  std::chrono::milliseconds collective = std::chrono::minutes(30);
  /// while rank 0 does what the others don't: validation, checkpoints
  std::chrono::milliseconds first_rank = std::chrono::hours(24);
};

/// What this rank sent for sums so far (2 (N - 1) / N of each buffer, as in a ring), and how long
/// its own work stood still for them.
struct CommStats {
  double bytes = 0;
  double wait_seconds = 0;
};

/// A collective under way.
class CollectiveWork {
 public:
  CollectiveWork() = default;
  explicit CollectiveWork(std::function<void()> wait) : wait_(std::move(wait)) {}
  /// Returns when the tensor holds the result. Throws CommunicationError.
  void wait();

 private:
  std::function<void()> wait_;
};

class ProcessGroup {
 public:
  /// Of one.
  ProcessGroup();
  /// Connects to all other ranks. Throws CommunicationError where they don't come in time, or where
  /// tfm was built without c10d.
  explicit ProcessGroup(RankEnvironment environment, Timeouts patience = {});
  ~ProcessGroup();
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  const RankEnvironment& environment() const { return environment_; }
  int rank() const { return environment_.rank; }
  int size() const { return environment_.size; }
  bool is_main() const { return environment_.rank == 0; }

  /// Sums a contiguous tensor over all ranks, in place. It must stay alive until the wait.
  CollectiveWork all_reduce_async(const torch::Tensor& tensor) const;
  /// The same for a few numbers, and at once.
  void all_reduce(std::span<double> values) const;
  /// The same, for what rank 0 may come late to: it may be validating or writing.
  void all_reduce_patient(std::span<double> values) const;
  /// Rank 0's values replace the others', in place. The tensor must be contiguous.
  void broadcast(const torch::Tensor& tensor) const;
  /// Rank 0's text, on every rank. Waits as all_reduce_patient does.
  std::string broadcast(const std::string& text) const;
  /// Returns when every rank has called it.
  void barrier() const;

  /// Since the start.
  CommStats traffic() const { return traffic_; }

 private:
  CollectiveWork start_sum(const torch::Tensor& tensor, std::chrono::milliseconds timeout) const;
  void sum(std::span<double> values, std::chrono::milliseconds timeout) const;

  RankEnvironment environment_;
  Timeouts patience_;
  std::unique_ptr<CollectiveBackend> communicator_;  // none in a group of one
  mutable CommStats traffic_;
};

/// Rank 0's values in every tensor of every rank.
void broadcast_all(const ProcessGroup& group, const std::vector<torch::Tensor>& tensors);

/// Throws CommunicationError, on every rank, where one rank's text differs from rank 0's. what:
/// "the training text".
void check_same_on_all_ranks(const ProcessGroup& group, const std::string& text,
                             const std::string& what);

/// Throws CommunicationError, on every rank, where a bit of any tensor differs between ranks. what:
/// "the parameters".
void check_tensors_identical(const ProcessGroup& group, const std::vector<torch::Tensor>& tensors,
                             const std::string& what);

}  // namespace tfm
