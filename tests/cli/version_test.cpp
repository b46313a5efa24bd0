#include "cli/version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tfm {
namespace {

TEST(DescribeVersion, BeginsWithTheVersionAndNamesLibrariesAndProcessor) {
  const std::string text = describe_version();
  // A source archive has no commit. CMake finds the commit before the tests are built.
  EXPECT_THAT(text,
              testing::ContainsRegex("^tfm " TFM_VERSION
                                     "( \\([0-9a-f]{9,}\\+?, [0-9]{4}-[0-9]{2}-[0-9]{2}\\))?\n"));
  for (const char* part :
       {"LibTorch", "built ", "processor", "kernels", "fp32: ", "int8: ", "bf16: ", "distributed",
        "SentencePiece", "compression", "zlib", "libarchive", "languages"})
    EXPECT_THAT(text, testing::HasSubstr(part));
}

}  // namespace
}  // namespace tfm
