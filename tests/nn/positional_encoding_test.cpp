#include "tfm/nn/positional_encoding.h"

#include <gtest/gtest.h>

#include <cmath>

#include "nn/model_fixture.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

TEST(SinusoidalTable, IsThePapersFormula) {
  const auto table = sinusoidal_table(50, 6);
  for (const int64_t position : {0, 1, 7, 49}) {
    for (int64_t i = 0; i < 3; ++i) {
      const double angle = static_cast<double>(position) / std::pow(10000.0, 2.0 * static_cast<double>(i) / 6);
      EXPECT_NEAR(table[position][2 * i].item<double>(), std::sin(angle), 1e-6);
      EXPECT_NEAR(table[position][2 * i + 1].item<double>(), std::cos(angle), 1e-6);
    }
  }
}

TEST(PositionalEncoding, GrowsWithTheSequence) {
  PositionalEncoding encoding(small_config());
  const auto x = torch::zeros({1, 700, 16});
  EXPECT_LT((encoding(x)[0] - sinusoidal_table(700, 16)).abs().max().item<double>(), 1e-6);
}

TEST(PositionalEncoding, ContinuesWhereTheCacheStands) {
  PositionalEncoding encoding(small_config());
  const auto all = encoding(torch::zeros({1, 9, 16}));
  EXPECT_TRUE(encoding(torch::zeros({1, 2, 16}), 7).equal(all.slice(1, 7, 9)));
}

TEST(PositionalEncoding, RefusesWhatLearnedPositionsDoNotReach) {
  auto config = small_config();
  config.positions = Positions::learned;
  config.max_positions = 4;
  PositionalEncoding encoding(config);
  EXPECT_NO_THROW(encoding(torch::zeros({1, 4, 16})));
  EXPECT_THROW(encoding(torch::zeros({1, 5, 16})), DataError);
}

}  // namespace
}  // namespace tfm
