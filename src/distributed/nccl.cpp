#if TFM_HAS_C10D

#include "backends.h"

#if TFM_HAS_NCCL
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif

namespace tfm {

#if TFM_HAS_NCCL

c10::intrusive_ptr<c10d::Backend> open_nccl(const c10::intrusive_ptr<c10d::Store>& store,
                                            const RankEnvironment& environment,
                                            std::chrono::milliseconds timeout) {
  auto options = c10d::ProcessGroupNCCL::Options::create();
  options->timeout = timeout;
  return c10::make_intrusive<c10d::ProcessGroupNCCL>(store, environment.rank, environment.size,
                                                     std::move(options));
}

#else

c10::intrusive_ptr<c10d::Backend> open_nccl(const c10::intrusive_ptr<c10d::Store>&,
                                            const RankEnvironment&, std::chrono::milliseconds) {
  return {};
}

#endif

}  // namespace tfm

#endif
