#include "tfm/distributed/process_group.h"

#include <array>
#include <utility>

#include "collective_backend.h"
#include "tfm/core/clock.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"

namespace tfm {
namespace {

/// Depends on every bit of tensors of at most 32 bits an element and on their order; the same on
/// any device.
std::int64_t bits_of(const std::vector<torch::Tensor>& tensors) {
  const torch::NoGradGuard no_grad;
  std::int64_t bits = 0;
  for (const auto& tensor : tensors) {
    const auto words = tensor.detach()
                           .to(torch::kFloat32)
                           .contiguous()
                           .flatten()
                           .view(torch::kInt32)
                           .to(torch::kInt64);
    const auto places = torch::arange(1, words.numel() + 1, words.options());
    bits = static_cast<std::int64_t>(
        static_cast<std::uint64_t>(bits) * 1000003U +
        static_cast<std::uint64_t>((words * places).sum().item<std::int64_t>()));
  }
  return bits;
}

}  // namespace

void CollectiveWork::wait() {
  if (const auto wait = std::exchange(wait_, nullptr)) wait();
}

ProcessGroup::ProcessGroup() = default;

ProcessGroup::ProcessGroup(RankEnvironment environment, Timeouts patience)
    : environment_(std::move(environment)), patience_(patience) {
  if (environment_.size > 1) communicator_ = connect(environment_, patience_);
}

/// While an error passes through, calls may be under way that can never end, and an engine waits
/// for those when it is destroyed. The process ends soon, which closes the connections and so tells
/// the others.
ProcessGroup::~ProcessGroup() {
  if (std::uncaught_exceptions() > 0) static_cast<void>(communicator_.release());
}

CollectiveWork ProcessGroup::start_sum(const torch::Tensor& tensor,
                                       std::chrono::milliseconds timeout) const {
  if (!communicator_) return {};
  traffic_.bytes += 2.0 * (size() - 1) / size() * static_cast<double>(tensor.nbytes());
  return CollectiveWork([this, pending = communicator_->sum(tensor, timeout)]() mutable {
    const double start = steady_seconds();
    pending.wait();
    traffic_.wait_seconds += steady_seconds() - start;
  });
}

CollectiveWork ProcessGroup::all_reduce_async(const torch::Tensor& tensor) const {
  return start_sum(tensor, patience_.collective);
}

void ProcessGroup::sum(std::span<double> values, std::chrono::milliseconds timeout) const {
  start_sum(torch::from_blob(values.data(), {std::ssize(values)}, torch::kFloat64), timeout).wait();
}

void ProcessGroup::all_reduce(std::span<double> values) const { sum(values, patience_.collective); }

void ProcessGroup::all_reduce_patient(std::span<double> values) const {
  sum(values, patience_.first_rank);
}

void ProcessGroup::broadcast(const torch::Tensor& tensor) const {
  if (communicator_) communicator_->broadcast(tensor, patience_.collective).wait();
}

std::string ProcessGroup::broadcast(const std::string& text) const {
  if (!communicator_) return text;
  auto length = torch::full({1}, static_cast<std::int64_t>(text.size()), torch::kInt64);
  communicator_->broadcast(length, patience_.first_rank).wait();
  std::string received(static_cast<std::size_t>(length.item<std::int64_t>()), '\0');
  if (is_main()) received = text;
  if (received.empty()) return received;
  broadcast(torch::from_blob(received.data(), {std::ssize(received)}, torch::kUInt8));
  return received;
}

void ProcessGroup::barrier() const {
  std::array<double, 1> nothing{0};
  all_reduce(nothing);
}

void broadcast_all(const ProcessGroup& group, const std::vector<torch::Tensor>& tensors) {
  const torch::NoGradGuard no_grad;
  for (const auto& tensor : tensors) {
    auto values = tensor.detach().contiguous();
    group.broadcast(values);
    if (!values.is_alias_of(tensor)) tensor.detach().copy_(values);
  }
}

void check_same_on_all_ranks(const ProcessGroup& group, const std::string& text,
                             const std::string& what) {
  std::array<double, 1> differing{group.broadcast(text) == text ? 0.0 : 1.0};
  group.all_reduce(differing);
  if (differing[0] == 0) return;
  throw CommunicationError(
      "", fmt::format("{} differs between the ranks ({} differ from rank 0)", what, differing[0]),
      "Give every rank the same command, config, files and program.");
}

void check_tensors_identical(const ProcessGroup& group, const std::vector<torch::Tensor>& tensors,
                             const std::string& what) {
  if (group.size() > 1) check_same_on_all_ranks(group, std::to_string(bits_of(tensors)), what);
}

}  // namespace tfm
