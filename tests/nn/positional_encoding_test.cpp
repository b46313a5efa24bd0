#include "tfm/nn/positional_encoding.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "model_fixture.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

const torch::Tensor no_ids;  // only by_token needs ids

TEST(SinusoidalTable, EqualsTheFormulaOfVaswaniEtAl) {
  const auto table = sinusoidal_table(50, 6);
  for (const int64_t position : {0, 1, 7, 49}) {
    for (int64_t i = 0; i < 3; ++i) {
      const double angle =
          static_cast<double>(position) / std::pow(10000.0, 2.0 * static_cast<double>(i) / 6);
      EXPECT_NEAR(table[position][2 * i].item<double>(), std::sin(angle), 1e-6);
      EXPECT_NEAR(table[position][2 * i + 1].item<double>(), std::cos(angle), 1e-6);
    }
  }
}

TEST(SinusoidalConcatTable, HasSinesThenCosinesOfFallingFrequencies) {
  const auto table = sinusoidal_concat_table(50, 6);
  for (const int64_t position : {0, 1, 7, 49}) {
    for (int64_t i = 0; i < 3; ++i) {
      const double angle = static_cast<double>(position) *
                           std::array{1.0, 0.01, 0.0001}[static_cast<std::size_t>(i)];
      EXPECT_NEAR(table[position][i].item<double>(), std::sin(angle), 1e-6);
      EXPECT_NEAR(table[position][3 + i].item<double>(), std::cos(angle), 1e-6);
    }
  }
}

TEST(PositionalEncoding, AddsTheSinusoidalConcatTableWithAndWithoutPadding) {
  auto config = small_config();
  config.positions = Positions::sinusoidal_halves;
  LayerFactory layers;
  PositionalEncoding encoding(config, test_vocab, layers);
  const auto table = sinusoidal_concat_table(9, 16);
  EXPECT_LT((encoding(torch::zeros({1, 9, 16}), no_ids)[0] - table).abs().max().item<double>(),
            1e-6);
  const auto positions = torch::tensor({3, 0, 8}, torch::kInt64);
  EXPECT_LT((encoding->forward_unpadded(torch::zeros({3, 16}), no_ids, positions) -
             table.index_select(0, positions))
                .abs()
                .max()
                .item<double>(),
            1e-6);
}

TEST(PositionalEncoding, BeginsAtTheFirstPositionOfTheTable) {
  auto config = small_config();
  config.first_position = 2;
  LayerFactory layers;
  PositionalEncoding encoding(config, test_vocab, layers);
  const auto table = sinusoidal_table(300, 16).slice(0, 2);
  EXPECT_TRUE(encoding(torch::zeros({1, 256, 16}), no_ids)[0].equal(table.slice(0, 0, 256)));
  EXPECT_TRUE(encoding(torch::zeros({1, 1, 16}), no_ids, 7)[0][0].equal(table[7]));
  const auto positions = torch::tensor({3, 0, 8}, torch::kInt64);
  EXPECT_TRUE(encoding->forward_unpadded(torch::zeros({3, 16}), no_ids, positions)
                  .equal(table.index_select(0, positions)));
}

TEST(PositionalEncoding, GrowsItsTableForLongSequences) {
  LayerFactory layers;
  PositionalEncoding encoding(small_config(), test_vocab, layers);
  const auto x = torch::zeros({1, 700, 16});
  EXPECT_LT((encoding(x, no_ids)[0] - sinusoidal_table(700, 16)).abs().max().item<double>(), 1e-6);
}

TEST(PositionalEncoding, StartsAtAGivenPosition) {
  LayerFactory layers;
  PositionalEncoding encoding(small_config(), test_vocab, layers);
  const auto all = encoding(torch::zeros({1, 9, 16}), no_ids);
  EXPECT_TRUE(encoding(torch::zeros({1, 2, 16}), no_ids, 7).equal(all.slice(1, 7, 9)));
}

TEST(PositionalEncoding, RejectsSequencesLongerThanTheLearnedPositions) {
  auto config = small_config();
  config.positions = Positions::learned;
  config.max_positions = 4;
  LayerFactory layers;
  PositionalEncoding encoding(config, test_vocab, layers);
  EXPECT_NO_THROW(encoding(torch::zeros({1, 4, 16}), no_ids));
  EXPECT_THROW(encoding(torch::zeros({1, 5, 16}), no_ids), DataError);
}

TEST(PositionalEncoding, ByTokenEncodesTheTokenIdInsteadOfThePosition) {
  auto config = small_config();
  config.positions = Positions::by_token;
  LayerFactory layers;
  PositionalEncoding encoding(config, test_vocab, layers);
  const auto x = encoding(torch::zeros({1, 3, 16}), ids({{5, 9, 5}}));
  EXPECT_TRUE(x[0][0].equal(x[0][2]));
  EXPECT_LT((x[0][1] - sinusoidal_table(10, 16)[9]).abs().max().item<double>(), 1e-6);
}

/// Returns the query of one head that RotaryPositions rotates by a position.
torch::Tensor rotated(const torch::Tensor& query, int64_t position) {
  RotaryPositions rotary(query.numel());
  const auto qkv = torch::cat({query, query, query}).unsqueeze(0);
  return rotary.rotate(qkv, torch::tensor({position}), position + 1)
      .flatten()
      .slice(0, 0, query.numel());
}

TEST(RotaryPositions, KeepsNormsAndMakesDotProductsDependOnlyOnDistance) {
  torch::manual_seed(3);
  const auto q = torch::randn({8});
  const auto k = torch::randn({8});
  const auto product = [&](int64_t i, int64_t j) {
    return (rotated(q, i) * rotated(k, j)).sum().item<double>();
  };
  EXPECT_NEAR(product(2, 5), product(12, 15), 1e-4);
  EXPECT_NEAR(product(7, 7), (q * k).sum().item<double>(), 1e-4);
  EXPECT_GT(std::abs(product(2, 5) - product(2, 6)), 1e-3);
  EXPECT_NEAR(rotated(q, 9).norm().item<double>(), q.norm().item<double>(), 1e-5);
}

TEST(RotaryPositions, RotatesEachPairByItsAngle) {
  const auto y = rotated(torch::tensor({1.0F, 0.0F, 0.0F, 1.0F}), 3);
  EXPECT_NEAR(y[0].item<double>(), std::cos(3.0), 1e-6);
  EXPECT_NEAR(y[1].item<double>(), std::sin(3.0), 1e-6);
  EXPECT_NEAR(y[2].item<double>(), -std::sin(3.0 / 100), 1e-6);  // 10000^(2/4) = 100
  EXPECT_NEAR(y[3].item<double>(), std::cos(3.0 / 100), 1e-6);
}

TEST(RotaryPositions, TrainsWithATableThatInferenceMade) {
  RotaryPositions rotary(4);
  const auto x = torch::randn({2, 12});
  {
    const torch::InferenceMode inference;
    rotary.rotate(torch::randn({2, 12}), torch::arange(2), 2);
  }
  const auto trained = x.clone().requires_grad_();
  rotary.rotate(trained, torch::arange(2), 2).sum().backward();
  EXPECT_TRUE(trained.grad().defined());
}

}  // namespace
}  // namespace tfm
