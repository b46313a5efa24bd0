// Opens the backends of c10d. Each function has its own file. gloo.cpp uses Gloo's types only
// by name and through pointers, because LibTorch contains its own Gloo and the installed headers
// may be from another version. nccl.cpp is separate because NCCL's headers include CUDA's.
#pragma once

#include <chrono>
#include <string>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include "tfm/distributed/rank_environment.h"

namespace tfm {

/// Opens the backend for CPU tensors. Returns when all ranks are connected. The timeout applies to
/// the connection, and to every collective without its own timeout.
c10::intrusive_ptr<c10d::Backend> open_gloo(const c10::intrusive_ptr<c10d::Store>& store,
                                            const RankEnvironment& environment,
                                            std::chrono::milliseconds timeout);

/// Opens the backend for CUDA tensors. Returns null if tfm was built without NCCL. Throws the error
/// of check_nccl().
c10::intrusive_ptr<c10d::Backend> open_nccl(const c10::intrusive_ptr<c10d::Store>& store,
                                            const RankEnvironment& environment,
                                            std::chrono::milliseconds timeout);

/// Throws CommunicationError if tfm was built with another version of NCCL than LibTorch
/// (nccl_version.h).
void check_nccl();

/// Returns why NCCL cannot be used: it was not built in, or check_nccl() would throw. Returns an
/// empty string if it can be used.
std::string find_nccl_problem();

/// Returns text such as "NCCL 2.30.7", or an empty string if tfm was built without NCCL.
std::string describe_nccl();

}  // namespace tfm
