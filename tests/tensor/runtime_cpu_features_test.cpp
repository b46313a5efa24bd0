#include <ATen/Version.h>
#include <gtest/gtest.h>

#include <string>

#include "kernels/cpu_features.h"

namespace tfm {
namespace {

/// tfm's kernels must use the same width as LibTorch's. CTest runs this test with several values of
/// ATEN_CPU_CAPABILITY.
TEST(CpuFeatures, HasTheSimdWidthThatLibTorchUses) {
  const std::string capability = at::get_cpu_capability();
  const int64_t width = capability.starts_with("AVX512") ? 16 : capability == "AVX2" ? 8 : 4;
  EXPECT_EQ(cpu_features().simd_width, width) << capability;
}

}  // namespace
}  // namespace tfm
