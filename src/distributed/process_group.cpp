#include "tfm/distributed/process_group.h"

#include <array>
#include <utility>

#include "communicator.h"
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

void Pending::wait() {
  if (const auto wait = std::exchange(wait_, nullptr)) wait();
}

World::World() = default;

World::World(RankEnvironment environment, Patience patience)
    : environment_(std::move(environment)), patience_(patience) {
  if (environment_.size > 1) communicator_ = connect(environment_, patience_);
}

/// While an error passes through, calls may be under way that can never end, and an engine waits
/// for those when it is destroyed. The process ends soon, which closes the connections and so tells
/// the others.
World::~World() {
  if (std::uncaught_exceptions() > 0) static_cast<void>(communicator_.release());
}

Pending World::start_sum(const torch::Tensor& tensor, std::chrono::milliseconds timeout) const {
  if (!communicator_) return {};
  traffic_.bytes += 2.0 * (size() - 1) / size() * static_cast<double>(tensor.nbytes());
  return Pending([this, pending = communicator_->sum(tensor, timeout)]() mutable {
    const double start = steady_seconds();
    pending.wait();
    traffic_.wait_seconds += steady_seconds() - start;
  });
}

Pending World::start_all_reduce(const torch::Tensor& tensor) const {
  return start_sum(tensor, patience_.collective);
}

void World::sum(std::span<double> values, std::chrono::milliseconds timeout) const {
  start_sum(torch::from_blob(values.data(), {std::ssize(values)}, torch::kFloat64), timeout).wait();
}

void World::all_reduce(std::span<double> values) const { sum(values, patience_.collective); }

void World::all_reduce_after_first(std::span<double> values) const {
  sum(values, patience_.first_rank);
}

void World::broadcast(const torch::Tensor& tensor) const {
  if (communicator_) communicator_->broadcast(tensor, patience_.collective).wait();
}

std::string World::broadcast(const std::string& text) const {
  if (!communicator_) return text;
  auto length = torch::full({1}, static_cast<std::int64_t>(text.size()), torch::kInt64);
  communicator_->broadcast(length, patience_.first_rank).wait();
  std::string received(static_cast<std::size_t>(length.item<std::int64_t>()), '\0');
  if (is_first()) received = text;
  if (received.empty()) return received;
  broadcast(torch::from_blob(received.data(), {std::ssize(received)}, torch::kUInt8));
  return received;
}

void World::barrier() const {
  std::array<double, 1> nothing{0};
  all_reduce(nothing);
}

void broadcast_all(const World& world, const std::vector<torch::Tensor>& tensors) {
  const torch::NoGradGuard no_grad;
  for (const auto& tensor : tensors) {
    auto values = tensor.detach().contiguous();
    world.broadcast(values);
    if (!values.is_alias_of(tensor)) tensor.detach().copy_(values);
  }
}

void require_same(const World& world, const std::string& text, const std::string& what) {
  std::array<double, 1> differing{world.broadcast(text) == text ? 0.0 : 1.0};
  world.all_reduce(differing);
  if (differing[0] == 0) return;
  throw CommunicationError(
      "", fmt::format("{} differs between the ranks ({} differ from rank 0)", what, differing[0]),
      "Give every rank the same command, config, files and program.");
}

void require_identical(const World& world, const std::vector<torch::Tensor>& tensors,
                       const std::string& what) {
  if (world.size() > 1) require_same(world, std::to_string(bits_of(tensors)), what);
}

}  // namespace tfm
