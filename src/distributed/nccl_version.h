// Compares versions of NCCL. c10d's options for NCCL contain a struct of nccl.h, which grows from
// version to version. If tfm is compiled with another nccl.h than LibTorch was, LibTorch writes
// past the end of the options that tfm allocates, so such a build must not open NCCL.
#pragma once

#include <cstdint>
#include <string>

namespace tfm {

struct NcclVersion {
  int major = 0;
  int minor = 0;
  int patch = 0;
  bool operator==(const NcclVersion&) const = default;
};

/// Unpacks the result of torch::cuda::nccl::version(): the patch level in the lowest 16 bits, the
/// minor version in the next 16, and the major version above.
NcclVersion unpack_nccl_version(std::uint64_t packed);

/// Returns text such as "2.30.7".
std::string to_string(const NcclVersion& version);

/// Returns why tfm, compiled with the first version, must not use a LibTorch that was compiled with
/// the second. Returns an empty string if the versions are equal.
std::string nccl_version_problem(const NcclVersion& tfm, const NcclVersion& libtorch);

}  // namespace tfm
