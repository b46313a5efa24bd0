#include "cli/version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tfm {
namespace {

TEST(DescribeVersion, BeginsWithTheVersionAndNamesLibrariesAndProcessor) {
  const std::string text = describe_version();
  EXPECT_THAT(text, testing::StartsWith("tfm " TFM_VERSION "\n"));
  for (const char* part : {"LibTorch", "CUDA", "processor", "kernels", "fp32: ", "int8: ", "bf16: ",
                           "distributed", "SentencePiece", "compression", "zlib"})
    EXPECT_THAT(text, testing::HasSubstr(part));
}

}  // namespace
}  // namespace tfm
