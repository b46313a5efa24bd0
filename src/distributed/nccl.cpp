#if TFM_HAS_C10D

#include "backends.h"
#include "build_problems.h"
#include "nccl_version.h"
#include "tfm/core/error.h"

#if TFM_HAS_NCCL
#include <torch/csrc/cuda/nccl.h>

#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif

namespace tfm {

#if TFM_HAS_NCCL

namespace {

constexpr NcclVersion header_version{.major = NCCL_MAJOR, .minor = NCCL_MINOR, .patch = NCCL_PATCH};

NcclVersion libtorch_nccl_version() { return unpack_nccl_version(torch::cuda::nccl::version()); }

}  // namespace

std::string find_nccl_problem() {
  return nccl_version_problem(header_version, libtorch_nccl_version());
}

std::string describe_nccl() { return "NCCL " + to_string(libtorch_nccl_version()); }

void check_nccl() {
  const auto problem = find_nccl_problem();
  if (problem.empty()) return;
  throw CommunicationError(
      "", "NCCL cannot be used: " + problem,
      "Build tfm with the nccl.h of NCCL " + to_string(libtorch_nccl_version()) +
          " (the CMake option TFM_CUDA_HEADERS names its folder), or train with one process.");
}

c10::intrusive_ptr<c10d::Backend> open_nccl(const c10::intrusive_ptr<c10d::Store>& store,
                                            const RankEnvironment& environment,
                                            std::chrono::milliseconds timeout) {
  check_nccl();
  auto options = c10d::ProcessGroupNCCL::Options::create();
  options->timeout = timeout;
  return c10::make_intrusive<c10d::ProcessGroupNCCL>(store, environment.rank, environment.size,
                                                     std::move(options));
}

#else

std::string find_nccl_problem() { return nccl_problem; }

std::string describe_nccl() { return ""; }

void check_nccl() {}

c10::intrusive_ptr<c10d::Backend> open_nccl(const c10::intrusive_ptr<c10d::Store>&,
                                            const RankEnvironment&, std::chrono::milliseconds) {
  return {};
}

#endif

}  // namespace tfm

#endif
