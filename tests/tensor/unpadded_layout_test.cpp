#include "tfm/tensor/unpadded_layout.h"

#include <gtest/gtest.h>

#include "nn/model_fixture.h"

namespace tfm {
namespace {

TEST(SentenceLengths, ExcludesOnlyPaddingAtTheEnd) {
  EXPECT_EQ(sentence_lengths(ids({{5, 6, 7}, {0, 0, 0}, {8, 0, 0}, {9, 0, 4}}), 0),
            (std::vector<int64_t>{3, 0, 1, 3}));
}

TEST(UnpaddedLayout, RemovesPaddingAndRestoresItAsZeros) {
  const auto padded = ids({{5, 6, 7}, {0, 0, 0}, {8, 0, 0}, {9, 0, 4}});
  const UnpaddedLayout layout({3, 0, 1, 3}, 3);
  EXPECT_EQ(layout.row_offsets(), (std::vector<int64_t>{0, 3, 3, 4, 7}));
  EXPECT_TRUE(layout.unpad(padded).equal(torch::tensor({5, 6, 7, 8, 9, 0, 4}, torch::kInt64)));
  EXPECT_TRUE(layout.positions().equal(torch::tensor({0, 1, 2, 0, 0, 1, 2}, torch::kInt64)));
  const auto features = torch::stack({padded, 10 * padded}, -1).to(torch::kFloat32);
  EXPECT_TRUE(layout.pad(layout.unpad(features)).equal(features));
}

TEST(UnpaddedLayout, RoundsTheNumberOfRowsUp) {
  const auto padded = ids({{5, 6, 7}, {8, 0, 0}});
  const UnpaddedLayout layout({3, 1}, 3, 8);
  const auto rows = torch::arange(8, torch::kFloat32).unsqueeze(1);
  EXPECT_EQ(layout.unpad(padded).size(0), 8);
  EXPECT_EQ(layout.row_offsets().back(), 4);
  EXPECT_TRUE(
      layout.pad(rows).squeeze(2).equal(torch::tensor({{0.0F, 1.0F, 2.0F}, {3.0F, 0.0F, 0.0F}})));
}

TEST(UnpaddedLayout, AcceptsABatchOfOnlyPadding) {
  const UnpaddedLayout layout({0}, 2);
  EXPECT_EQ(layout.unpad(ids({{0, 0}})).size(0), 0);
  EXPECT_TRUE(layout.pad(torch::zeros({0, 3})).equal(torch::zeros({1, 2, 3})));
}

TEST(UnpaddedLayout, PassesGradientsOnlyToRealTokens) {
  const auto padded = ids({{5, 6}, {8, 0}});
  const UnpaddedLayout layout({2, 1}, 2, 4);
  auto x = torch::rand({2, 2, 3}).set_requires_grad(true);
  layout.pad(layout.unpad(x)).sum().backward();
  EXPECT_TRUE(x.grad().equal(padded.ne(0).unsqueeze(2).expand({2, 2, 3}).to(torch::kFloat32)));
}

}  // namespace
}  // namespace tfm
