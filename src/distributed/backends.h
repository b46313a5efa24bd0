// c10d's engines, each behind a function in a file of its own. Gloo's file uses nothing of Gloo but
// names and pointers: LibTorch carries its own Gloo, and the headers installed here may be of
// another version. NCCL's headers ask for all of CUDA's.
#pragma once

#include <chrono>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include "tfm/distributed/rank_environment.h"

namespace tfm {

/// For CPU tensors. Returns when all ranks are connected. timeout: of that, and of every collective
/// where it names none.
c10::intrusive_ptr<c10d::Backend> open_gloo(const c10::intrusive_ptr<c10d::Store>& store,
                                            const RankEnvironment& environment,
                                            std::chrono::milliseconds timeout);

/// For CUDA tensors. Null where tfm was built without NCCL.
c10::intrusive_ptr<c10d::Backend> open_nccl(const c10::intrusive_ptr<c10d::Store>& store,
                                            const RankEnvironment& environment,
                                            std::chrono::milliseconds timeout);

}  // namespace tfm
