// Connects the processes (ranks) of a run and provides collectives: sums, broadcasts and barriers.
// They use c10d, which is part of LibTorch: Gloo for CPU tensors, and NCCL for CUDA tensors if tfm
// was built with NCCL. Every rank must make the same calls in the same order. In a group of
// one rank, every call returns at once, so callers need no separate code for that case. If a rank
// dies, its sockets close, and pending calls of the other ranks throw CommunicationError.
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

/// Timeouts for ranks that are alive but do not respond. A rank that has died is detected at once.
struct Timeouts {
  std::chrono::milliseconds connect = std::chrono::minutes(5);
  std::chrono::milliseconds collective = std::chrono::minutes(30);
  /// the timeout for work that only rank 0 does: validation and writing checkpoints
  std::chrono::milliseconds rank_zero_work = std::chrono::hours(24);
};

/// The cost of all sums for this rank: the bytes that it sent and the time for which it waited. In
/// a group of N ranks, 2 (N - 1) / N times the size of each buffer counts as sent, as in a ring
/// all-reduce.
struct CommStats {
  double bytes = 0;
  double wait_seconds = 0;
};

/// A pending collective.
class CollectiveWork {
 public:
  CollectiveWork() = default;
  explicit CollectiveWork(std::function<void()> wait) : wait_(std::move(wait)) {}
  /// Waits until the tensor contains the result. Throws CommunicationError if a rank has died or
  /// does not respond in time.
  void wait();

 private:
  std::function<void()> wait_;
};

class ProcessGroup {
 public:
  /// Creates a group of one rank.
  ProcessGroup();
  /// Connects to all other ranks. Throws CommunicationError if they do not connect in time, or if
  /// tfm was built without c10d.
  explicit ProcessGroup(RankEnvironment environment, Timeouts timeouts = {});
  /// Uses this backend, with which a test can watch the collectives.
  ProcessGroup(RankEnvironment environment, std::unique_ptr<CollectiveBackend> backend,
               Timeouts timeouts = {});
  ~ProcessGroup();
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  const RankEnvironment& environment() const { return environment_; }
  int rank() const { return environment_.rank; }
  int size() const { return environment_.size; }
  bool is_main() const { return environment_.rank == 0; }

  /// Checks, before anything is sent, that the ranks can exchange tensors of this device. On rank
  /// 0, warns if CUDA tensors will be sent through the CPU. Throws CommunicationError if tfm was
  /// built with another version of NCCL than LibTorch.
  void check_device(const torch::Device& device) const;

  /// Starts to sum a contiguous tensor over all ranks, in place. The tensor must stay alive until
  /// CollectiveWork::wait returns.
  CollectiveWork all_reduce_async(const torch::Tensor& tensor) const;
  /// Sums a few numbers over all ranks, in place.
  void all_reduce(std::span<double> values) const;
  /// Does the same as all_reduce, but with the timeout rank_zero_work, because rank 0 may still be
  /// validating or writing a checkpoint.
  void all_reduce_patient(std::span<double> values) const;
  /// Copies the values of rank 0 into the tensor of every rank. The tensor must be contiguous.
  void broadcast(const torch::Tensor& tensor) const;
  /// Returns the text of rank 0 on every rank. The other ranks wait for rank 0 with the timeout
  /// rank_zero_work.
  std::string broadcast(const std::string& text) const;
  /// Waits until every rank has called barrier().
  void barrier() const;

  /// Returns the cost of all sums since the group was created.
  CommStats comm_stats() const { return traffic_; }

 private:
  CollectiveWork start_sum(const torch::Tensor& tensor, std::chrono::milliseconds timeout) const;
  void sum(std::span<double> values, std::chrono::milliseconds timeout) const;

  RankEnvironment environment_;
  Timeouts timeouts_;
  std::unique_ptr<CollectiveBackend> backend_;  // null in a group of one rank
  mutable CommStats traffic_;
};

/// Copies the values of rank 0 into the tensors of every rank.
void broadcast_all(const ProcessGroup& group, const std::vector<torch::Tensor>& tensors);

/// Throws CommunicationError on every rank if the text of any rank differs from that of rank 0.
/// `what` names the text in the message ("the training data").
void check_same_on_all_ranks(const ProcessGroup& group, const std::string& text,
                             const std::string& what);

/// Throws CommunicationError on every rank if a tensor differs between ranks, even in one bit.
/// `what` names the tensors in the message ("the parameters").
void check_tensors_identical(const ProcessGroup& group, const std::vector<torch::Tensor>& tensors,
                             const std::string& what);

}  // namespace tfm
