#include "tfm/distributed/gradient_reducer.h"

#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/utils/lambda_post_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <ranges>
#include <utility>

namespace tfm {
namespace {

// size in bytes; larger buckets are not sent faster and overlap less with the backward pass
constexpr std::int64_t largest_bucket = 25 << 20;
// size in bytes; for smaller buckets, latency dominates the time of an all-reduce
constexpr std::int64_t smallest_bucket = 64 << 10;
constexpr std::int64_t wanted_buckets = 8;
// The offset of each gradient in its bucket, in elements, is a multiple of this number (64 bytes in
// fp32). GPU kernels read four elements at a time and need aligned addresses, so a multiple of four
// would suffice.
constexpr std::int64_t alignment = 16;

std::int64_t choose_bucket_bytes(const std::vector<torch::Tensor>& parameters) {
  std::int64_t bytes = 0;
  for (const auto& parameter : parameters) bytes += static_cast<std::int64_t>(parameter.nbytes());
  return std::clamp(bytes / wanted_buckets, smallest_bucket, largest_bucket);
}

struct Slot {
  torch::Tensor parameter;
  std::int64_t offset = 0;  // in elements, from the start of the bucket
  bool arrived = false;
};

struct Bucket {
  std::vector<Slot> slots;
  // the gradients, followed by one element per slot, which counts the ranks that have its gradient
  torch::Tensor flat;
  std::int64_t gradient_elements = 0;
  std::size_t arrived = 0;
  CollectiveWork sum;

  torch::Tensor values(const Slot& slot) const {
    return flat.narrow(0, slot.offset, slot.parameter.numel()).view(slot.parameter.sizes());
  }
  torch::Tensor ranks_with(std::size_t slot) const {
    return flat[gradient_elements + static_cast<std::int64_t>(slot)];
  }
};

std::vector<Bucket> assign_buckets(const std::vector<torch::Tensor>& parameters,
                                   std::int64_t bucket_bytes) {
  std::vector<Bucket> buckets;
  std::int64_t bytes = 0;
  for (const auto& parameter : std::views::reverse(parameters)) {
    const auto size = static_cast<std::int64_t>(parameter.nbytes());
    if (buckets.empty() || bytes + size > bucket_bytes) {
      buckets.emplace_back();
      bytes = 0;
    }
    auto& bucket = buckets.back();
    bytes += size;
    bucket.slots.push_back({parameter, bucket.gradient_elements});
    bucket.gradient_elements += (parameter.numel() + alignment - 1) / alignment * alignment;
  }
  for (auto& bucket : buckets) {
    bucket.flat = torch::zeros({bucket.gradient_elements + std::ssize(bucket.slots)},
                               bucket.slots.front().parameter.detach().options());
  }
  return buckets;
}

}  // namespace

class GradientReducer::Buckets {
 public:
  Buckets(const ProcessGroup& group, const std::vector<torch::Tensor>& parameters,
          std::int64_t bucket_bytes)
      : group_(group),
        buckets_(assign_buckets(
            parameters, bucket_bytes > 0 ? bucket_bytes : choose_bucket_bytes(parameters))) {
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
      for (std::size_t j = 0; j < buckets_[i].slots.size(); ++j) hook(i, j);
    }
  }

  ~Buckets() {
    for (const auto& [accumulator, key] : hooks_) accumulator->del_post_hook(key);
  }

  void prepare_for_backward() {
    const torch::NoGradGuard no_grad;
    armed_ = true;
    if (std::exchange(was_reset_, false)) return;
    next_ = 0;
    for (auto& bucket : buckets_) {
      bucket.arrived = 0;
      for (auto& slot : bucket.slots) slot.arrived = false;
      bucket.flat.narrow(0, bucket.gradient_elements, std::ssize(bucket.slots)).fill_(1);
    }
  }

  void reset() {
    if (std::exchange(armed_, false)) was_reset_ = true;
  }

  void wait() {
    const torch::NoGradGuard no_grad;
    armed_ = was_reset_ = false;
    for (auto& bucket : buckets_) fill_gaps(bucket);
    start_ready();
    for (auto& bucket : buckets_) {
      bucket.sum.wait();
      set_gradients(bucket);
    }
  }

  std::size_t count() const { return buckets_.size(); }

 private:
  /// A shared or an intrusive pointer, depending on the version of LibTorch.
  using NodePointer =
      decltype(torch::autograd::impl::grad_accumulator(std::declval<const torch::Tensor&>()));

  /// Adds a hook to the node that accumulates the gradient of a parameter, and keeps the node alive
  /// between passes.
  void hook(std::size_t bucket, std::size_t slot) {
    auto accumulator =
        torch::autograd::impl::grad_accumulator(buckets_[bucket].slots[slot].parameter);
    const auto on_gradient = [this, bucket, slot](const torch::autograd::variable_list& outputs,
                                                  const torch::autograd::variable_list&) {
      if (armed_) take(buckets_[bucket], buckets_[bucket].slots[slot]);
      return outputs;
    };
    const auto key = accumulator->add_post_hook(
        std::make_unique<torch::autograd::utils::LambdaPostHook>(on_gradient));
    hooks_.emplace_back(std::move(accumulator), key);
  }

  void take(Bucket& bucket, Slot& slot) {
    const torch::NoGradGuard no_grad;
    if (std::exchange(slot.arrived, true)) return;
    bucket.values(slot).copy_(slot.parameter.grad());
    ++bucket.arrived;
    start_ready();
  }

  void start_ready() {
    for (; next_ < buckets_.size() && buckets_[next_].arrived == buckets_[next_].slots.size();
         ++next_) {
      buckets_[next_].sum = group_.all_reduce_async(buckets_[next_].flat);
    }
  }

  /// Fills the slots of parameters that the last pass did not reach, with the gradient of earlier
  /// passes, or with zeros if there is none.
  void fill_gaps(Bucket& bucket) {
    for (std::size_t i = 0; i < bucket.slots.size(); ++i) {
      auto& slot = bucket.slots[i];
      if (slot.arrived) continue;
      const auto& gradient = slot.parameter.grad();
      gradient.defined() ? bucket.values(slot).copy_(gradient) : bucket.values(slot).zero_();
      if (!gradient.defined()) bucket.ranks_with(i).zero_();
      slot.arrived = true;
      ++bucket.arrived;
    }
  }

  void set_gradients(Bucket& bucket) {
    for (std::size_t i = 0; i < bucket.slots.size(); ++i) {
      auto& slot = bucket.slots[i];
      if (slot.parameter.grad().defined() || bucket.ranks_with(i).item<double>() > 0)
        slot.parameter.mutable_grad() = bucket.values(slot);
    }
  }

  const ProcessGroup& group_;
  std::vector<Bucket> buckets_;
  std::vector<std::pair<NodePointer, std::uintptr_t>> hooks_;
  std::size_t next_ = 0;  // the index of the next bucket to reduce
  bool armed_ = false;
  // true after a reset that followed prepare_for_backward(): some gradients may already be in
  // buckets
  bool was_reset_ = false;
};

GradientReducer::GradientReducer(const ProcessGroup& group,
                                 const std::vector<torch::Tensor>& parameters,
                                 std::int64_t bucket_bytes) {
  if (group.size() > 1) buckets_ = std::make_unique<Buckets>(group, parameters, bucket_bytes);
}

GradientReducer::~GradientReducer() = default;

void GradientReducer::prepare_for_backward() {
  if (buckets_) buckets_->prepare_for_backward();
}

void GradientReducer::reset() {
  if (buckets_) buckets_->reset();
}

void GradientReducer::wait() {
  if (buckets_) buckets_->wait();
}

std::size_t GradientReducer::bucket_count() const { return buckets_ ? buckets_->count() : 0; }

}  // namespace tfm
