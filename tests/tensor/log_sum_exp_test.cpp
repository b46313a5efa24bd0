#include "tfm/tensor/log_sum_exp.h"

#include <gtest/gtest.h>
#include <torch/utils.h>

#include <limits>

namespace tfm {
namespace {

torch::Tensor log_sums(const torch::Tensor& logits) {
  return torch::tensor(log_sum_exp_rows(logits, 64).log_sums);
}

TEST(LogSumExpRows, EqualsTorchLogsumexp) {
  torch::manual_seed(1);
  const torch::InferenceMode inference;
  for (const int64_t width : {1, 7, 16, 33, 64, 65, 10000}) {
    for (const double spread : {0.1, 5.0, 200.0}) {
      const auto logits = spread * torch::randn({5, width}) + 30;
      EXPECT_TRUE(log_sums(logits).allclose(torch::logsumexp(logits, -1), 1e-5, 1e-4))
          << width << " " << spread;
      const auto narrow = logits.to(torch::kBFloat16);
      EXPECT_TRUE(
          log_sums(narrow).allclose(torch::logsumexp(narrow.to(torch::kFloat32), -1), 1e-5, 1e-4))
          << width << " " << spread;
    }
  }
}

TEST(LogSumExpRows, FindsTheHighestLogitOfEachBlock) {
  torch::manual_seed(2);
  const torch::InferenceMode inference;
  for (const int64_t width : {1, 63, 64, 65, 200, 1000}) {
    for (const int64_t block : {16, 64}) {
      const auto logits = torch::randn({3, width});
      const int64_t blocks = (width + block - 1) / block;
      const auto padded = torch::constant_pad_nd(logits, {0, blocks * block - width}, -1e30);
      const auto expected = padded.view({3, blocks, block}).amax(-1).flatten();
      EXPECT_TRUE(torch::tensor(log_sum_exp_rows(logits, block).block_maxima).equal(expected))
          << width << " " << block;
    }
  }
}

/// Search detects a diverged model by these NaNs.
TEST(LogSumExpRows, ReturnsNanForARowWithNanOrPlusInfinity) {
  const torch::InferenceMode inference;
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (const int64_t column : {0, 20, 39}) {
      auto logits = torch::randn({2, 40});
      logits[1][column] = bad;
      const auto found = log_sums(logits);
      EXPECT_TRUE(found[0].isfinite().item<bool>());
      EXPECT_TRUE(found[1].isnan().item<bool>()) << bad << " " << column;
    }
  }
}

TEST(LogSumExpRows, GivesLogitsOfMinusInfinityZeroProbability) {
  const torch::InferenceMode inference;
  const auto logits = torch::tensor({{0.0F, -std::numeric_limits<float>::infinity(), 0.0F}});
  EXPECT_NEAR(log_sums(logits).item<float>(), std::log(2.0F), 1e-6);
}

TEST(BlockMaximaRows, FindsTheSameMaximaAsLogSumExpRows) {
  torch::manual_seed(4);
  const torch::InferenceMode inference;
  const auto logits = torch::randn({3, 1000});
  const auto found = block_maxima_rows(logits, 64);
  EXPECT_EQ(found.block_maxima, log_sum_exp_rows(logits, 64).block_maxima);
  EXPECT_TRUE(found.logits.equal(logits));
  EXPECT_EQ(found.log_sums, std::vector<float>(3, 0));
}

TEST(BlockMaximaRows, GivesOnlyRowsWithNanOrPlusInfinityTheLogSumNan) {
  const torch::InferenceMode inference;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const float logit : {std::numeric_limits<float>::quiet_NaN(), infinity, -infinity}) {
    for (const int64_t column : {0, 20, 39}) {
      auto logits = torch::randn({2, 40});
      logits[1][column] = logit;
      const auto sums = block_maxima_rows(logits, 64).log_sums;
      EXPECT_EQ(sums[0], 0);
      EXPECT_EQ(std::isnan(sums[1]), logit != -infinity) << logit << " " << column;
    }
  }
}

TEST(SelectLogProbs, EqualsTheEntriesOfTorchLogSoftmax) {
  torch::manual_seed(3);
  const torch::InferenceMode inference;
  for (const int64_t width : {1, 15, 16, 17, 1000}) {
    const auto logits = 5 * torch::randn({4, width});
    const auto tokens = torch::randint(width, {4}, torch::kInt64);
    const auto expected = torch::log_softmax(logits, -1).gather(1, tokens.unsqueeze(1)).squeeze(1);
    EXPECT_TRUE(select_log_probs(logits, tokens).allclose(expected, 1e-5, 1e-5)) << width;
  }
}

TEST(TopTokens, AreTheMostProbableInDescendingOrder) {
  const auto log_probs = torch::tensor({{-3.0F, -1.0F, -2.0F}, {-1.5F, -4.0F, -0.5F}});
  const auto [tokens, values] = top_tokens(log_probs, 2);
  EXPECT_EQ(tokens, (std::vector<std::int32_t>{1, 2, 2, 0}));
  EXPECT_EQ(values, (std::vector<float>{-1, -2, -0.5F, -1.5F}));
}

TEST(TopTokens, PutNanFirst) {
  const auto nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(top_tokens(torch::tensor({{-1.0F, nan, -2.0F}}), 1).tokens,
            std::vector<std::int32_t>{1});
}

}  // namespace
}  // namespace tfm
