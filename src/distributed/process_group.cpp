#include "tfm/distributed/process_group.h"

#include <array>
#include <atomic>
#include <utility>

#include "collective_backend.h"
#include "tfm/core/clock.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"

namespace tfm {
namespace {

/// Returns a checksum of all bits of the tensors and of their order, which does not depend on the
/// device. The tensors must be of a floating-point type with at most 32 bits.
std::int64_t fingerprint_tensors(const std::vector<torch::Tensor>& tensors) {
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

ProcessGroup::ProcessGroup(RankEnvironment environment, Timeouts timeouts)
    : environment_(std::move(environment)), timeouts_(timeouts) {
  if (environment_.size > 1) backend_ = connect(environment_, timeouts_);
}

ProcessGroup::ProcessGroup(RankEnvironment environment, std::unique_ptr<CollectiveBackend> backend,
                           Timeouts timeouts)
    : environment_(std::move(environment)), timeouts_(timeouts), backend_(std::move(backend)) {}

/// During an exception, the backend is leaked: its destructor would wait for pending calls that may
/// never end. The process ends soon, which closes the connections, so the other ranks detect the
/// failure.
ProcessGroup::~ProcessGroup() {
  // The leak sanitizer does not report memory to which a static pointer refers.
  static std::atomic<CollectiveBackend*> leaked;
  if (std::uncaught_exceptions() > 0) leaked = backend_.release();
}

void ProcessGroup::check_device(const torch::Device& device) const {
  if (backend_) backend_->check_device(device);
}

CollectiveWork ProcessGroup::start_sum(const torch::Tensor& tensor,
                                       std::chrono::milliseconds timeout) const {
  if (!backend_) return {};
  traffic_.bytes += 2.0 * (size() - 1) / size() * static_cast<double>(tensor.nbytes());
  return CollectiveWork([this, pending = backend_->sum(tensor, timeout)]() mutable {
    const double start = steady_seconds();
    pending.wait();
    traffic_.wait_seconds += steady_seconds() - start;
  });
}

CollectiveWork ProcessGroup::all_reduce_async(const torch::Tensor& tensor) const {
  return start_sum(tensor, timeouts_.collective);
}

void ProcessGroup::sum(std::span<double> values, std::chrono::milliseconds timeout) const {
  start_sum(torch::from_blob(values.data(), {std::ssize(values)}, torch::kFloat64), timeout).wait();
}

void ProcessGroup::all_reduce(std::span<double> values) const { sum(values, timeouts_.collective); }

void ProcessGroup::all_reduce_patient(std::span<double> values) const {
  sum(values, timeouts_.rank_zero_work);
}

void ProcessGroup::broadcast(const torch::Tensor& tensor) const {
  if (backend_) backend_->broadcast(tensor, timeouts_.collective).wait();
}

std::string ProcessGroup::broadcast(const std::string& text) const {
  if (!backend_) return text;
  auto length = torch::full({1}, static_cast<std::int64_t>(text.size()), torch::kInt64);
  // The other ranks may have to wait long for rank 0. The text then follows its length at once.
  backend_->broadcast(length, timeouts_.rank_zero_work).wait();
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
      "",
      fmt::format("the ranks disagree on {} (ranks that differ from rank 0: {})", what,
                  differing[0]),
      "Start every rank with the same command, config, files and program.");
}

void check_tensors_identical(const ProcessGroup& group, const std::vector<torch::Tensor>& tensors,
                             const std::string& what) {
  if (group.size() > 1)
    check_same_on_all_ranks(group, std::to_string(fingerprint_tensors(tensors)), what);
}

}  // namespace tfm
