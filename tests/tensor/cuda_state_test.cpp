#include "tfm/tensor/cuda_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tfm {
namespace {

using testing::HasSubstr;

const CudaState no_driver{.built_version = 13000};
const CudaState old_driver{.built_version = 13000, .driver_version = 12040};
const CudaState no_gpu{.built_version = 13000, .driver_version = 13020};

TEST(DescribeCuda, SaysHowLibTorchWasBuiltAndWhatIsVisible) {
  EXPECT_EQ(describe_cuda({}), "built for the CPU");
  EXPECT_EQ(describe_cuda({.built_version = 12080, .gpus = 1}), "built with CUDA 12.8; 1 GPU");
  EXPECT_EQ(describe_cuda({.built_version = 13000, .gpus = 8}), "built with CUDA 13.0; 8 GPUs");
  EXPECT_EQ(describe_cuda(no_driver),
            "built with CUDA 13.0; no GPU visible (no NVIDIA driver is installed)");
}

TEST(ExplainMissingGpu, AdvisesACudaBuildIfLibTorchIsForTheCpu) {
  const auto problem = explain_missing_gpu({}, 0);
  EXPECT_EQ(problem.cause, "LibTorch was built for the CPU");
  EXPECT_THAT(problem.remedy, HasSubstr("a CUDA build of LibTorch"));
}

TEST(ExplainMissingGpu, AdvisesToInstallOrUpdateTheDriver) {
  EXPECT_THAT(explain_missing_gpu(no_driver, 0).remedy, HasSubstr("Install the driver"));
  EXPECT_EQ(explain_missing_gpu(old_driver, 0).cause,
            "the NVIDIA driver supports CUDA 12.4, and LibTorch needs 13.0");
  EXPECT_THAT(explain_missing_gpu(old_driver, 0).remedy, HasSubstr("Update the driver"));
}

TEST(ExplainMissingGpu, AcceptsADriverOfTheSameMajorVersion) {
  auto state = no_gpu;
  state.built_version = 13020;
  state.driver_version = 13000;
  EXPECT_EQ(explain_missing_gpu(state, 0).cause, "the NVIDIA driver finds no GPU");
}

TEST(ExplainMissingGpu, NamesTheVariableThatHidesTheGpus) {
  auto state = no_gpu;
  state.visible_devices = "";
  EXPECT_EQ(explain_missing_gpu(state, 0).cause, "CUDA_VISIBLE_DEVICES is ''");
  state.driver_version = 0;
  EXPECT_EQ(explain_missing_gpu(state, 0).cause, "no NVIDIA driver is installed");
}

TEST(ExplainMissingGpu, QuotesOtherErrorsOfTheDriver) {
  auto state = no_gpu;
  state.driver_error = "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH";
  EXPECT_THAT(explain_missing_gpu(state, 0).cause, HasSubstr("CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"));
  state.driver_version = 0;
  state.driver_error = "libcuda.so.1: file too short";
  EXPECT_THAT(explain_missing_gpu(state, 0).cause, HasSubstr("file too short"));
}

TEST(ExplainMissingGpu, NamesTheNumbersOfTheGpusThatExist) {
  EXPECT_EQ(explain_missing_gpu({.built_version = 13000, .gpus = 1}, 1).cause,
            "number 1 was asked for, and there is 1 GPU, number 0");
  EXPECT_EQ(explain_missing_gpu({.built_version = 13000, .gpus = 4}, 7).cause,
            "number 7 was asked for, and there are 4 GPUs, numbers 0 to 3");
}

TEST(FindCudaState, CountsNoGpusIfLibTorchWasBuiltForTheCpu) {
  const auto state = find_cuda_state();
  if (state.built_version == 0)
    EXPECT_EQ(state.gpus, 0);
  else
    EXPECT_GE(state.built_version, 11000);
}

}  // namespace
}  // namespace tfm
