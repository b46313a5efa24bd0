#include "tfm/nn/attention_mask.h"

#include <gtest/gtest.h>

#include "model_fixture.h"

namespace tfm {
namespace {

TEST(PaddingMask, HidesOnlyPadding) {
  const auto mask = padding_mask(ids({{4, 5, 0}, {6, 0, 0}}), 0);
  EXPECT_EQ(mask.sizes(), (torch::IntArrayRef{2, 1, 1, 3}));
  EXPECT_TRUE(mask.flatten().equal(torch::tensor({1, 1, 0, 1, 0, 0}, torch::kBool)));
}

TEST(SubsequentMask, HidesOnlyTheFuture) {
  const auto mask = subsequent_mask(3, torch::kCPU);
  EXPECT_EQ(mask.sizes(), (torch::IntArrayRef{1, 1, 3, 3}));
  EXPECT_TRUE(mask.flatten().equal(torch::tensor({1, 0, 0, 1, 1, 0, 1, 1, 1}, torch::kBool)));
}

TEST(AttentionMask, CombinesPaddingAndCausality) {
  const AttentionMask both{.mask = padding_mask(ids({{4, 0, 5}}), 0), .causal = true};
  EXPECT_TRUE(both.materialize(3, torch::kCPU)
                  .flatten()
                  .equal(torch::tensor({1, 0, 0, 1, 0, 0, 1, 0, 1}, torch::kBool)));
  EXPECT_FALSE(AttentionMask{}.materialize(3, torch::kCPU).defined());
}

}  // namespace
}  // namespace tfm
