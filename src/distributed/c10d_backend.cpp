// The CollectiveBackend over c10d, which holds its engines by their common base class.
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
#include "tfm/core/log.h"

namespace tfm {
namespace {

using c10d::Backend;
using c10d::Store;
using std::chrono::milliseconds;

/// What went wrong, without the place in c10d's sources before it, and the advice to Python users
/// and the C++ stack behind it.
std::string essence(const std::exception& error) {
  const auto* c10_error = dynamic_cast<const c10::Error*>(&error);
  std::string text = c10_error != nullptr ? c10_error->what_without_backtrace() : error.what();
  text = text.substr(0, text.find('\n'));
  if (const auto place = text.find(".cc:"); text.starts_with('[') && place != text.npos)
    text.erase(0, text.find(']') + 2);
  return text.substr(0, text.find(". "));
}

/// Calls c10d; what it throws becomes a CommunicationError.
template <class Call>
auto guarded(std::string_view doing, std::string_view hint, const Call& call) {
  try {
    return call();
  } catch (const CommunicationError&) {
    throw;
  } catch (const std::exception& error) {
    throw CommunicationError("", fmt::format("{} ({})", doing, essence(error)), hint);
  }
}

c10::intrusive_ptr<Store> open_store(const RankEnvironment& environment, milliseconds timeout) {
  c10d::TCPStoreOptions options;
  options.port = environment.master_port;
  options.isServer = environment.rank == 0 && !environment.use_agent_store;
  options.waitWorkers = false;
  options.timeout = timeout;
  auto store = c10::make_intrusive<c10d::TCPStore>(environment.master_address, options);
  return c10::make_intrusive<c10d::PrefixStore>("tfm/" + environment.attempt, std::move(store));
}

/// What c10d logs by itself, C++ stacks included, is in the errors it throws. TORCH_CPP_LOG_LEVEL
/// brings it back.
void silence_c10d() {
  if (std::getenv("TORCH_CPP_LOG_LEVEL") == nullptr) FLAGS_caffe2_log_level = c10::GLOG_FATAL;
}

class C10dCommunicator : public CollectiveBackend {
 public:
  C10dCommunicator(const RankEnvironment& environment, const Timeouts& patience)
      : environment_(environment), patience_(patience) {
    silence_c10d();
    const auto doing =
        fmt::format("can't connect to the other {} ranks through {}:{}", environment.size - 1,
                    environment.master_address, environment.master_port);
    guarded(doing,
            "Check MASTER_ADDR and MASTER_PORT, that all ranks were started, and "
            "GLOO_SOCKET_IFNAME (the network interface).",
            [&] {
              store_ = open_store(environment, patience.connect);
              gloo_ = open_gloo(c10::make_intrusive<c10d::PrefixStore>("gloo", store_), environment,
                                patience.connect);
              gloo_->setTimeout(patience.collective);
            });
  }

  CollectiveWork sum(const torch::Tensor& tensor, milliseconds timeout) override {
    return start<c10d::AllreduceOptions>(&Backend::allreduce, tensor, timeout);
  }

  CollectiveWork broadcast(const torch::Tensor& tensor, milliseconds timeout) override {
    return start<c10d::BroadcastOptions>(&Backend::broadcast, tensor, timeout);
  }

 private:
  /// NCCL's group is made at the first CUDA tensor: a run on the CPU must not ask for a GPU.
  Backend& backend_for(const torch::Tensor& tensor) {
    if (!tensor.is_cuda()) return *gloo_;
    if (!cuda_) {
      cuda_ = open_nccl(c10::make_intrusive<c10d::PrefixStore>("nccl", store_), environment_,
                        patience_.collective);
      if (!cuda_) {
        if (environment_.rank == 0)
          log_warn("this tfm was built without NCCL: gradients travel through the CPU, slowly");
        cuda_ = gloo_;
      }
    }
    return *cuda_;
  }

  template <class Options, class Collective>
  CollectiveWork start(Collective collective, const torch::Tensor& tensor, milliseconds timeout) {
    Options options;
    options.timeout = timeout;
    std::vector<at::Tensor> tensors{tensor};
    auto work = guarded(lost, log_of_cause,
                        [&] { return (backend_for(tensor).*collective)(tensors, options); });
    return CollectiveWork(
        [tensor, work = std::move(work)] { guarded(lost, log_of_cause, [&] { work->wait(); }); });
  }

  static constexpr const char* lost = "lost contact to another rank";
  static constexpr const char* log_of_cause =
      "The rank that ended first says why. Go on from the last checkpoint with the same command "
      "and --resume.";

  RankEnvironment environment_;
  Timeouts patience_;
  c10::intrusive_ptr<Store> store_;
  c10::intrusive_ptr<Backend> gloo_;
  c10::intrusive_ptr<Backend> cuda_;
};

}  // namespace

bool has_c10d() { return true; }

std::unique_ptr<CollectiveBackend> connect(const RankEnvironment& environment,
                                           const Timeouts& patience) {
  return std::make_unique<C10dCommunicator>(environment, patience);
}

}  // namespace tfm

#else

namespace tfm {

bool has_c10d() { return false; }

std::unique_ptr<CollectiveBackend> connect(const RankEnvironment& environment, const Timeouts&) {
  throw CommunicationError(
      "WORLD_SIZE",
      "is " + std::to_string(environment.size) + ", but this tfm was built without c10d",
      "Train with one process, or build with a LibTorch that has it and with Gloo's headers "
      "(scripts/setup installs them).");
}

}  // namespace tfm

#endif
