#include "kernels/simd.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "kernels/row_softmax.h"
#include "kernels/small_gemm.h"

namespace tfm {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Every width, whatever this processor's registers hold: where they are narrower the compiler
/// makes several of one.
template <class L>
class LanesOf : public testing::Test {
 protected:
  /// 0.25, -0.5, 0.75, ...: exact in bf16, and so are their sums.
  static std::vector<float> numbers(int64_t count) {
    std::vector<float> result(static_cast<std::size_t>(count));
    for (int64_t i = 0; i < count; ++i)
      result[static_cast<std::size_t>(i)] =
          static_cast<float>(i + 1) / 4 * (i % 2 == 0 ? 1.0F : -1.0F);
    return result;
  }
};

using Widths = testing::Types<Simd<4>, Simd<8>, Simd<16>>;
TYPED_TEST_SUITE(LanesOf, Widths);

TYPED_TEST(LanesOf, AreReadAndWrittenWhereverTheyLie) {
  const auto from = this->numbers(TypeParam::count + 1);
  std::vector<float> to(from.size() + 1, 9.0F);
  TypeParam::store(TypeParam::load(from.data() + 1) * 2.0F, to.data() + 1);
  EXPECT_EQ(to.front(), 9.0F);
  EXPECT_EQ(to.back(), 9.0F);
  for (std::size_t i = 1; i < from.size(); ++i) EXPECT_EQ(to[i], 2 * from[i]) << i;
}

TYPED_TEST(LanesOf, RoundToBf16AsOneNumberDoes) {
  // a tie: to even, down
  std::vector<float> from(static_cast<std::size_t>(TypeParam::count), 1.00390625F);
  // a tie: to even, up
  from[1] = 1.01171875F;
  from[2] = std::numeric_limits<float>::quiet_NaN();
  from[3] = -infinity;
  std::vector<Bf16> to(from.size());
  TypeParam::store(TypeParam::load(from.data()), to.data());
  for (std::size_t i = 0; i < from.size(); ++i) {
    Bf16 alone = 0;
    narrow(from[i], alone);
    EXPECT_EQ(to[i], alone) << from[i];
  }
  std::vector<float> back(from.size());
  TypeParam::store(TypeParam::load(to.data()), back.data());
  EXPECT_EQ(back[0], 1.0F);
  EXPECT_EQ(back[1], 1.015625F);
  EXPECT_EQ(back[3], -infinity);
}

TYPED_TEST(LanesOf, AddUpAndFindTheLargest) {
  auto from = this->numbers(TypeParam::count);
  EXPECT_EQ(reduce(TypeParam::load(from.data()), Sum()),
            std::accumulate(from.begin(), from.end(), 0.0F));
  for (std::size_t place = 0; place < from.size(); ++place) {
    auto one_larger = from;
    one_larger[place] = 100;
    EXPECT_EQ(reduce(TypeParam::load(one_larger.data()), Max()), 100) << place;
  }
}

/// A sum of very different numbers depends on its order: the widest registers' one is everyone's.
TYPED_TEST(LanesOf, AddUpALongRowInTheSameOrder) {
  const int64_t size = 64 * max_lanes;
  std::vector<float> row(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < row.size(); ++i)
    row[i] = std::sin(static_cast<float>(i)) * std::exp(static_cast<float>(i % 23));
  const auto sum_of = [&]<class L>(L) {
    Accumulator<L> sum(0);
    for (int64_t i = 0; i < size; i += max_lanes) {
      for (int64_t r = 0; r < Accumulator<L>::registers; ++r)
        sum.parts[r] += L::load(row.data() + i + r * L::count);
    }
    return sum.reduced(Sum());
  };
  EXPECT_EQ(sum_of(TypeParam()), sum_of(Simd<max_lanes>()));
  EXPECT_NE(sum_of(TypeParam()), std::accumulate(row.begin(), row.end(), 0.0F))
      << "one by one it is another sum";
}

TYPED_TEST(LanesOf, RaiseEToAnyNegativeNumber) {
  for (float x = 0; x > -100; x -= 0.37F) {
    std::vector<float> to(static_cast<std::size_t>(TypeParam::count));
    TypeParam::store(fast_exp_nonpositive(TypeParam::all(x)), to.data());
    const float expected = x < smallest_exponent ? 0.0F : std::exp(x);
    EXPECT_NEAR(to.front(), expected, 1e-6F * expected) << x;
    EXPECT_EQ(to.back(), to.front());
    EXPECT_NEAR(fast_exp_nonpositive(x), expected, 1e-6F * expected) << x;
  }
}

TYPED_TEST(LanesOf, MakeProbabilitiesOfTheScoresThatAreSeen) {
  for (const int64_t seen : {1, 5, 16, 31, 32}) {
    const auto padded = round_up_to_lanes(seen);
    auto row = this->numbers(padded);
    std::vector<double> expected(row.begin(), row.begin() + seen);
    double sum = 0;
    for (auto& x : expected) sum += x = std::exp(x);
    row_softmax<TypeParam>(row.data(), seen, padded);
    for (int64_t i = 0; i < padded; ++i) {
      const auto at = static_cast<std::size_t>(i);
      EXPECT_NEAR(row[at], i < seen ? expected[at] / sum : 0, 1e-6) << seen << " " << i;
    }
  }
}

TYPED_TEST(LanesOf, MultiplyMatricesOfAnyHeight) {
  constexpr int64_t depth = 7;
  for (const int64_t m : {1, 2, 5, 6, 9, 13}) {
    for (const int64_t n : {16, 32, 48}) {
      const auto a = this->numbers(m * depth);
      const auto b = this->numbers(depth * n);
      std::vector<float> c(static_cast<std::size_t>(m * n), 1.0F);
      small_gemm<TypeParam>({m, n, depth}, {a.data(), depth, 1}, {b.data(), n}, {c.data(), n},
                            /*add=*/true);
      for (int64_t i = 0; i < m; ++i) {
        for (int64_t j = 0; j < n; ++j) {
          float sum = 1;  // of multiples of 1/16, few enough to be exact
          for (int64_t k = 0; k < depth; ++k)
            sum +=
                a[static_cast<std::size_t>(i * depth + k)] * b[static_cast<std::size_t>(k * n + j)];
          ASSERT_EQ(c[static_cast<std::size_t>(i * n + j)], sum)
              << m << " " << n << ": " << i << " " << j;
        }
      }
    }
  }
}

TEST(SimdDispatch, TakesTheProcessorsOwnNumber) {
  const auto taken = simd_dispatch([&](auto lanes) TFM_BODY { return decltype(lanes)::count; });
  EXPECT_EQ(taken, simd_width());
  EXPECT_THAT(taken, testing::AnyOf(4, 8, max_lanes));
}

}  // namespace
}  // namespace tfm
