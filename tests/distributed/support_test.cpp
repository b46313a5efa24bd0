#include "tfm/distributed/support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tfm {
namespace {

using testing::AnyOf;
using testing::ContainsRegex;

TEST(DescribeDistributed, NamesWhatIsBuiltInOrSaysWhyItIsMissing) {
  const auto text = describe_distributed();
  EXPECT_THAT(text, AnyOf(ContainsRegex("^Gloo and NCCL [0-9]+\\.[0-9]+\\.[0-9]+$"),
                          ContainsRegex("^Gloo; without NCCL: [^ ]"),
                          ContainsRegex("^not built in: [^ ]")));
  EXPECT_EQ(text.starts_with("Gloo"), has_c10d());
}

}  // namespace
}  // namespace tfm
