#include "nccl_version.h"

#include <fmt/format.h>

namespace tfm {

NcclVersion unpack_nccl_version(std::uint64_t packed) {
  constexpr std::uint64_t mask = 0xffff;
  return {.major = static_cast<int>(packed >> 32 & mask),
          .minor = static_cast<int>(packed >> 16 & mask),
          .patch = static_cast<int>(packed & mask)};
}

std::string to_string(const NcclVersion& version) {
  return fmt::format("{}.{}.{}", version.major, version.minor, version.patch);
}

std::string nccl_version_problem(const NcclVersion& tfm, const NcclVersion& libtorch) {
  if (tfm == libtorch) return "";
  return fmt::format("tfm was compiled with the headers of NCCL {}, but LibTorch with NCCL {}",
                     to_string(tfm), to_string(libtorch));
}

}  // namespace tfm
