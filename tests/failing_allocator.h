// An allocator that simulates a machine without enough memory.
#pragma once

#include <c10/core/CPUAllocator.h>
#include <torch/csrc/autograd/graph_task.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tfm {

/// While this object exists, every `every`-th allocation of a CPU tensor with more than `max_bytes`
/// bytes fails; smaller allocations are not counted. Several threads may allocate at once.
class FailingAllocator final : public c10::Allocator {
 public:
  FailingAllocator(std::size_t max_bytes, int every) : max_bytes_(max_bytes), every_(every) {
    c10::SetCPUAllocator(this, priority);
  }
  ~FailingAllocator() override { c10::SetCPUAllocator(plain_, priority); }
  FailingAllocator(const FailingAllocator&) = delete;
  FailingAllocator& operator=(const FailingAllocator&) = delete;

  c10::DataPtr allocate(std::size_t bytes) override {
    if (bytes <= max_bytes_ || ++larger_ % every_ != 0) return plain_->allocate(bytes);
    if (torch::autograd::get_current_graph_task_id() >= 0) ++refused_in_backward_;
    throw c10::OutOfMemoryError({__func__, __FILE__, __LINE__}, "not enough memory");
  }
  c10::DeleterFnPtr raw_deleter() const override { return plain_->raw_deleter(); }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    plain_->copy_data(to, from, bytes);
  }
  int refused_in_backward() const { return refused_in_backward_; }

 private:
  static constexpr std::uint8_t priority = 200;  // above that of CachingAllocator
  std::size_t max_bytes_;
  int every_;
  std::atomic<int> larger_ = 0;
  std::atomic<int> refused_in_backward_ = 0;
  c10::Allocator* plain_ = c10::GetDefaultCPUAllocator();
};

}  // namespace tfm
