#include "distributed/nccl_version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tfm {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(NcclVersion, UnpacksTheNumberOfLibTorch) {
  EXPECT_EQ(unpack_nccl_version(std::uint64_t{2} << 32 | 30 << 16 | 7), (NcclVersion{2, 30, 7}));
  EXPECT_EQ(to_string(NcclVersion{2, 30, 7}), "2.30.7");
}

TEST(NcclVersion, EqualVersionsAreNoProblem) {
  EXPECT_EQ(nccl_version_problem({2, 30, 7}, {2, 30, 7}), "");
}

TEST(NcclVersion, EveryOtherVersionIsRefusedWithBothNumbers) {
  for (const NcclVersion& headers : {NcclVersion{2, 30, 6}, {2, 27, 7}, {3, 30, 7}})
    EXPECT_THAT(nccl_version_problem(headers, {2, 30, 7}),
                AllOf(HasSubstr(to_string(headers)), HasSubstr("LibTorch with NCCL 2.30.7")));
}

}  // namespace
}  // namespace tfm
