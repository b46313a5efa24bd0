#include "tfm/tensor/unpadded_batch.h"

#include <gtest/gtest.h>

#include "nn/model_fixture.h"

namespace tfm {
namespace {

TEST(UnpaddedBatch, LeavesOutPaddingAndPutsItBackAsZero) {
  // padding stands at the end only
  const auto padded = ids({{5, 6, 7}, {0, 0, 0}, {8, 0, 0}, {9, 0, 4}});
  const UnpaddedBatch packing(padded, 0);
  EXPECT_EQ(packing.row_offsets(), (std::vector<int64_t>{0, 3, 3, 4, 7}));
  EXPECT_TRUE(packing.unpad(padded).equal(torch::tensor({5, 6, 7, 8, 9, 0, 4}, torch::kInt64)));
  EXPECT_TRUE(packing.positions().equal(torch::tensor({0, 1, 2, 0, 0, 1, 2}, torch::kInt64)));
  const auto features = torch::stack({padded, 10 * padded}, -1).to(torch::kFloat32);
  EXPECT_TRUE(packing.pad(packing.unpad(features)).equal(features));
}

TEST(UnpaddedBatch, RoundsTheNumberOfRowsUp) {
  const auto padded = ids({{5, 6, 7}, {8, 0, 0}});
  const UnpaddedBatch packing(padded, 0, 8);
  const auto rows = torch::arange(8, torch::kFloat32).unsqueeze(1);
  EXPECT_EQ(packing.unpad(padded).size(0), 8);
  EXPECT_EQ(packing.row_offsets().back(), 4);
  EXPECT_TRUE(
      packing.pad(rows).squeeze(2).equal(torch::tensor({{0.0F, 1.0F, 2.0F}, {3.0F, 0.0F, 0.0F}})));
}

TEST(UnpaddedBatch, TakesABatchOfNothingButPadding) {
  const UnpaddedBatch packing(ids({{0, 0}}), 0);
  EXPECT_EQ(packing.unpad(ids({{0, 0}})).size(0), 0);
  EXPECT_TRUE(packing.pad(torch::zeros({0, 3})).equal(torch::zeros({1, 2, 3})));
}

TEST(UnpaddedBatch, PassesGradientsToRealTokensAlone) {
  const auto padded = ids({{5, 6}, {8, 0}});
  const UnpaddedBatch packing(padded, 0, 4);
  auto x = torch::rand({2, 2, 3}).set_requires_grad(true);
  packing.pad(packing.unpad(x)).sum().backward();
  EXPECT_TRUE(x.grad().equal(padded.ne(0).unsqueeze(2).expand({2, 2, 3}).to(torch::kFloat32)));
}

}  // namespace
}  // namespace tfm
