// Implements CollectiveBackend with c10d. It uses c10d's backends (Gloo, NCCL) through their common
// base class.
#include "collective_backend.h"
#include "tfm/core/error.h"

#if TFM_HAS_C10D

#include <c10/util/Logging.h>

#include <cstdlib>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <vector>

#include "backends.h"
#include "local_address.h"
#include "tfm/core/log.h"

namespace tfm {
namespace {

using c10d::Backend;
using c10d::Store;
using std::chrono::milliseconds;

/// Returns the first sentence of an error message, without the location in c10d's sources, the
/// advice for Python users and the C++ stack.
std::string short_message(const std::exception& error) {
  const auto* c10_error = dynamic_cast<const c10::Error*>(&error);
  std::string text = c10_error != nullptr ? c10_error->what_without_backtrace() : error.what();
  text = text.substr(0, text.find('\n'));
  if (const auto place = text.find(".cc:"); text.starts_with('[') && place != text.npos)
    text.erase(0, text.find(']') + 2);
  return text.substr(0, text.find(". "));
}

/// Calls c10d and turns its exceptions into `Failure`, a CommunicationError.
template <class Failure, class Call>
auto call_c10d(std::string_view failure, std::string_view hint, const Call& call) {
  try {
    return call();
  } catch (const CommunicationError&) {
    throw;
  } catch (const std::exception& error) {
    throw Failure("", fmt::format("{} ({})", failure, short_message(error)), hint);
  }
}

c10::intrusive_ptr<Store> open_store(const RankEnvironment& environment, milliseconds timeout) {
  c10d::TCPStoreOptions options;
  options.port = environment.master_port;
  options.isServer = environment.rank == 0 && !environment.use_agent_store;
  options.waitWorkers = false;
  options.timeout = timeout;
  if (options.isServer) {
    // By default, the store listens on all interfaces, and any process that reaches it can read and
    // change it.
    const int listener = listen_on(environment.master_address, environment.master_port);
    if (listener >= 0) {
      options.masterListenFd = listener;
    } else {
      log_warn("{} is not an address of this machine: the ranks' store listens on all interfaces",
               environment.master_address);
    }
  }
  auto store = c10::make_intrusive<c10d::TCPStore>(environment.master_address, options);
  return c10::make_intrusive<c10d::PrefixStore>("tfm/" + environment.restart_count,
                                                std::move(store));
}

/// Turns off c10d's own log, C++ stacks included, because its errors contain the same information.
/// If TORCH_CPP_LOG_LEVEL is set, the log stays on.
void silence_c10d() {
  if (std::getenv("TORCH_CPP_LOG_LEVEL") == nullptr) FLAGS_caffe2_log_level = c10::GLOG_FATAL;
}

class C10dBackend : public CollectiveBackend {
 public:
  C10dBackend(const RankEnvironment& environment, const Timeouts& timeouts)
      : environment_(environment), timeouts_(timeouts) {
    silence_c10d();
    const auto connect = [&] {
      store_ = open_store(environment, timeouts.connect);
      gloo_ = open_gloo(c10::make_intrusive<c10d::PrefixStore>("gloo", store_), environment,
                        timeouts.connect);
      gloo_->setTimeout(timeouts.collective);
    };
    const auto failure =
        fmt::format("can't connect to the other {} ranks through {}:{}", environment.size - 1,
                    environment.master_address, environment.master_port);
    constexpr auto advice =
        "Check MASTER_ADDR, MASTER_PORT and GLOO_SOCKET_IFNAME (the network interface), and that "
        "all ranks were started.";
    // Rank 0 of one `tfm launch` is on this machine. If it can't be reached, it has ended.
    if (environment.started_by_tfm && environment.rank > 0 &&
        environment.local_size == environment.size)
      call_c10d<LostContactError>(failure, advice, connect);
    else
      call_c10d<CommunicationError>(failure, advice, connect);
  }

  CollectiveWork sum(const torch::Tensor& tensor, milliseconds timeout) override {
    return start<c10d::AllreduceOptions>(&Backend::allreduce, tensor, timeout);
  }

  CollectiveWork broadcast(const torch::Tensor& tensor, milliseconds timeout) override {
    return start<c10d::BroadcastOptions>(&Backend::broadcast, tensor, timeout);
  }

  void check_device(const torch::Device& device) override {
    if (!device.is_cuda()) return;
    check_nccl();
    if (const auto problem = find_nccl_problem(); !problem.empty() && environment_.rank == 0) {
      log_warn(
          "this tfm was built without NCCL ({}): gradients are sent through the CPU, which is slow",
          problem);
    }
  }

 private:
  /// Opens NCCL at the first CUDA tensor, because a run on the CPU must not need a GPU.
  Backend& backend_for(const torch::Tensor& tensor) {
    if (!tensor.is_cuda()) return *gloo_;
    if (!cuda_) {
      cuda_ = open_nccl(c10::make_intrusive<c10d::PrefixStore>("nccl", store_), environment_,
                        timeouts_.collective);
      if (!cuda_) cuda_ = gloo_;
    }
    return *cuda_;
  }

  template <class Options, class Collective>
  CollectiveWork start(Collective collective, const torch::Tensor& tensor, milliseconds timeout) {
    Options options;
    options.timeout = timeout;
    std::vector<at::Tensor> tensors{tensor};
    auto work = call_c10d<LostContactError>(
        lost, hint, [&] { return (backend_for(tensor).*collective)(tensors, options); });
    return CollectiveWork([tensor, work = std::move(work)] {
      call_c10d<LostContactError>(lost, hint, [&] { work->wait(); });
    });
  }

  static constexpr const char* lost = "lost contact with another rank";
  // The hint does not mention checkpoints, because rank 0 logs whether one can be resumed
  // (RunStatus::record_exception).
  static constexpr const char* hint = "The log of the rank that ended first shows the cause.";

  RankEnvironment environment_;
  Timeouts timeouts_;
  c10::intrusive_ptr<Store> store_;
  c10::intrusive_ptr<Backend> gloo_;
  c10::intrusive_ptr<Backend> cuda_;
};

}  // namespace

bool has_c10d() { return true; }

std::string describe_distributed() {
  const auto problem = find_nccl_problem();
  return problem.empty() ? "Gloo and " + describe_nccl() : "Gloo; without NCCL: " + problem;
}

std::unique_ptr<CollectiveBackend> connect(const RankEnvironment& environment,
                                           const Timeouts& timeouts) {
  return std::make_unique<C10dBackend>(environment, timeouts);
}

}  // namespace tfm

#else

#include <fmt/format.h>

#include "build_problems.h"

namespace tfm {

bool has_c10d() { return false; }

std::string describe_distributed() { return std::string("not built in: ") + c10d_problem; }

std::unique_ptr<CollectiveBackend> connect(const RankEnvironment& environment, const Timeouts&) {
  throw CommunicationError(
      "WORLD_SIZE",
      fmt::format("is {}, but this tfm was built without c10d ({})", environment.size,
                  c10d_problem),
      "Train with one process, or change this and build tfm again; docs/scaling.md says what "
      "several processes need.");
}

}  // namespace tfm

#endif
