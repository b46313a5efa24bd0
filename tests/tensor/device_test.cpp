#include "tfm/tensor/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tfm/core/error.h"
#include "tfm/tensor/cuda_state.h"
#include "tfm/tensor/packed_weight.h"
#include "tfm/tensor/random_state.h"

namespace tfm {
namespace {

const torch::Device cpu_device(torch::kCPU);
const torch::Device cuda_device(torch::kCUDA, 0);

TEST(SelectDevice, ExplainsWhyAGpuIsMissing) {
  const auto problem = explain_missing_gpu(find_cuda_state(), 999);
  EXPECT_THAT(
      message_of<ModelError>([] { select_device("cuda:999"); }),
      testing::AllOf(testing::HasSubstr("--device: cuda:999 is not available"),
                     testing::HasSubstr(problem.cause), testing::HasSubstr(problem.remedy)));
}

TEST(SelectDevice, RefusesOtherNames) {
  for (const char* name : {"gpu", "cuda:", "cuda:x", "cuda:1000", "cuda0"})
    EXPECT_THROW(select_device(name), ConfigError) << name;
}

TEST(Device, CpuHasKernelsForFp32AndBf16) {
  EXPECT_TRUE(has_tfm_kernels(cpu_device));
  EXPECT_TRUE(has_tfm_kernels(torch::ones({1})));
  EXPECT_TRUE(has_tfm_kernels(torch::ones({1}, torch::kBFloat16)));
  EXPECT_FALSE(has_tfm_kernels(torch::ones({1}, torch::kFloat64)));
  EXPECT_FALSE(has_tfm_kernels(torch::ones({1}, torch::kInt64)));
}

TEST(Device, CpuComputesInThisProcess) {
  EXPECT_TRUE(uses_host_memory(cpu_device));
  EXPECT_TRUE(uses_host_threads(cpu_device));
  EXPECT_FALSE(has_own_generator(cpu_device));
  EXPECT_TRUE(attends_faster_in_fp32(torch::ones({1}, torch::kBFloat16)));
  EXPECT_EQ(supports_bf16(cpu_device), cpu_supports_bf16());
  EXPECT_FALSE(supports_fp16(cpu_device));
  EXPECT_FALSE(prefers_fewer_operations(cpu_device));
}

TEST(Device, GpuHasItsOwnMemoryAndGenerator) {
  EXPECT_FALSE(has_tfm_kernels(cuda_device));
  EXPECT_FALSE(uses_host_memory(cuda_device));
  EXPECT_FALSE(uses_host_threads(cuda_device));
  EXPECT_TRUE(has_own_generator(cuda_device));
  EXPECT_TRUE(supports_bf16(cuda_device));
  EXPECT_TRUE(supports_fp16(cuda_device));
  EXPECT_TRUE(prefers_fewer_operations(cuda_device));
}

/// A checkpoint is read in this order: if it has no state of the first device, it was saved on
/// another kind of device.
TEST(GeneratorDevices, AreTheDeviceItselfAndThenTheCpu) {
  EXPECT_THAT(generator_devices(cuda_device), testing::ElementsAre(cuda_device, cpu_device));
  EXPECT_THAT(generator_devices(cpu_device), testing::ElementsAre(cpu_device));
}

}  // namespace
}  // namespace tfm
