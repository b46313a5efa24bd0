#include "kernels/simd.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "kernels/small_gemm.h"
#include "kernels/softmax_rows.h"

namespace tfm {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Tests every vector width on every processor. This is possible because the compiler splits
/// vectors that are wider than the registers.
template <class L>
class SimdTest : public testing::Test {
 protected:
  /// Returns 0.25, -0.5, 0.75, ... Sums and products of these numbers are exact in fp32.
  static std::vector<float> numbers(int64_t count) {
    std::vector<float> result(static_cast<std::size_t>(count));
    for (int64_t i = 0; i < count; ++i)
      result[static_cast<std::size_t>(i)] =
          static_cast<float>(i + 1) / 4 * (i % 2 == 0 ? 1.0F : -1.0F);
    return result;
  }
};

using Widths = testing::Types<Simd<4>, Simd<8>, Simd<16>>;
TYPED_TEST_SUITE(SimdTest, Widths);

TYPED_TEST(SimdTest, LoadsAndStoresAtAnyAddress) {
  const auto from = this->numbers(TypeParam::count + 1);
  std::vector<float> to(from.size() + 1, 9.0F);
  TypeParam::store(TypeParam::load(from.data() + 1) * 2.0F, to.data() + 1);
  EXPECT_EQ(to.front(), 9.0F);
  EXPECT_EQ(to.back(), 9.0F);
  for (std::size_t i = 1; i < from.size(); ++i) EXPECT_EQ(to[i], 2 * from[i]) << i;
}

TYPED_TEST(SimdTest, TransposesASquareOfRegisters) {
  constexpr int64_t count = TypeParam::count;
  typename TypeParam::Floats rows[count];
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t j = 0; j < count; ++j) rows[i][j] = static_cast<float>(100 * i + j);
  }
  transpose<TypeParam>(rows);
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t j = 0; j < count; ++j)
      EXPECT_EQ(rows[i][j], static_cast<float>(100 * j + i)) << i << ", " << j;
  }
}

TYPED_TEST(SimdTest, RoundsAVectorToBf16LikeSingleNumbers) {
  // This number is halfway between two bf16 numbers, so it rounds down to the even one.
  std::vector<float> from(static_cast<std::size_t>(TypeParam::count), 1.00390625F);
  // This tie rounds up to the even number.
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

TYPED_TEST(SimdTest, ReducesToTheSumAndToTheMaximum) {
  auto from = this->numbers(TypeParam::count);
  EXPECT_EQ(reduce(TypeParam::load(from.data()), Add()),
            std::accumulate(from.begin(), from.end(), 0.0F));
  for (std::size_t place = 0; place < from.size(); ++place) {
    auto one_larger = from;
    one_larger[place] = 100;
    EXPECT_EQ(reduce(TypeParam::load(one_larger.data()), Max()), 100) << place;
  }
}

TYPED_TEST(SimdTest, ReducesEachRowOfASquareLikeReduce) {
  constexpr int64_t count = TypeParam::count;
  const auto from = this->numbers(count * count);
  const auto expect_same = [&](auto operation) {
    typename TypeParam::Floats rows[count];
    for (int64_t i = 0; i < count; ++i) rows[i] = TypeParam::load(from.data() + i * count);
    const auto results = reduce_each<TypeParam>(rows, operation);
    for (int64_t i = 0; i < count; ++i)
      EXPECT_EQ(results[i], reduce(TypeParam::load(from.data() + i * count), operation)) << i;
  };
  expect_same(Add());
  expect_same(Max());
}

TYPED_TEST(SimdTest, StoresTheLowestByteOfEachNumber) {
  typename TypeParam::Integers numbers;
  for (int64_t i = 0; i < TypeParam::count; ++i)
    numbers[i] = static_cast<int32_t>(i % 2 == 0 ? -i : 1000 + i);
  std::vector<int8_t> to(static_cast<std::size_t>(TypeParam::count) + 1, 9);
  TypeParam::store_low_bytes(numbers, to.data());
  for (int64_t i = 0; i < TypeParam::count; ++i)
    EXPECT_EQ(to[static_cast<std::size_t>(i)], static_cast<int8_t>(numbers[i])) << i;
  EXPECT_EQ(to.back(), 9);
}

/// The sum of numbers of very different magnitude depends on the order of the additions. Every
/// vector width must add in the same order as the widest vectors.
TYPED_TEST(SimdTest, AccumulatesALongRowInTheSameOrderAtEveryWidth) {
  const int64_t size = 64 * max_lanes;
  std::vector<float> row(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < row.size(); ++i)
    row[i] = std::sin(static_cast<float>(i)) * std::exp(static_cast<float>(i % 23));
  const auto accumulate_as = [&]<class L>(L) {
    Accumulator<L> sum(0);
    for (int64_t i = 0; i < size; i += max_lanes) {
      for (int64_t r = 0; r < Accumulator<L>::registers; ++r)
        sum.parts[r] += L::load(row.data() + i + r * L::count);
    }
    return sum.reduce(Add());
  };
  EXPECT_EQ(accumulate_as(TypeParam()), accumulate_as(Simd<max_lanes>()));
  EXPECT_NE(accumulate_as(TypeParam()), std::accumulate(row.begin(), row.end(), 0.0F))
      << "the test needs numbers whose sequential sum differs";
}

TYPED_TEST(SimdTest, FastExpNonpositiveIsCloseToStdExpAndZeroBelowTheSmallestExponent) {
  for (float x = 0; x > -100; x -= 0.37F) {
    std::vector<float> to(static_cast<std::size_t>(TypeParam::count));
    TypeParam::store(fast_exp_nonpositive(TypeParam::broadcast(x)), to.data());
    const float expected = x < smallest_exponent ? 0.0F : std::exp(x);
    EXPECT_NEAR(to.front(), expected, 1e-6F * expected) << x;
    EXPECT_EQ(to.back(), to.front());
    EXPECT_NEAR(fast_exp_nonpositive(x), expected, 1e-6F * expected) << x;
  }
}

TYPED_TEST(SimdTest, SoftmaxRowsOfSeveralRowsMultipliesEachByTheFactors) {
  constexpr int64_t padded = 32;
  constexpr int64_t seen = 21;
  const auto scores = this->numbers(4 * padded);
  const auto factors = this->numbers(padded);
  auto rows = scores;
  softmax_rows<TypeParam, 4>(rows.data(), seen, padded, factors.data());
  for (std::size_t begin = 0; begin < rows.size(); begin += padded) {
    std::vector<float> alone(scores.begin() + static_cast<std::ptrdiff_t>(begin),
                             scores.begin() + static_cast<std::ptrdiff_t>(begin + padded));
    softmax_rows<TypeParam, 1>(alone.data(), seen, padded);
    for (std::size_t i = 0; i < padded; ++i)
      EXPECT_EQ(rows[begin + i], alone[i] * factors[i]) << begin << " " << i;
  }
}

TYPED_TEST(SimdTest, SoftmaxRowsNormalizesTheScoresAndZeroesThePadding) {
  for (const int64_t seen : {1, 5, 16, 31, 32}) {
    const auto padded = round_up_to_lanes(seen);
    auto row = this->numbers(padded);
    std::vector<double> expected(row.begin(), row.begin() + seen);
    double sum = 0;
    for (auto& x : expected) sum += x = std::exp(x);
    softmax_rows<TypeParam, 1>(row.data(), seen, padded);
    for (int64_t i = 0; i < padded; ++i) {
      const auto at = static_cast<std::size_t>(i);
      EXPECT_NEAR(row[at], i < seen ? expected[at] / sum : 0, 1e-6) << seen << " " << i;
    }
  }
}

TYPED_TEST(SimdTest, SmallGemmMultipliesMatricesOfAnyHeight) {
  constexpr int64_t inner = 7;
  for (const int64_t m : {1, 2, 5, 6, 9, 13}) {
    for (const int64_t n : {16, 32, 48}) {
      const auto a = this->numbers(m * inner);
      const auto b = this->numbers(inner * n);
      std::vector<float> c(static_cast<std::size_t>(m * n), 1.0F);
      small_gemm<TypeParam>({m, n, inner}, {a.data(), inner, 1}, {b.data(), n}, {c.data(), n},
                            /*add=*/true);
      for (int64_t i = 0; i < m; ++i) {
        for (int64_t j = 0; j < n; ++j) {
          float sum = 1;  // exact, because all terms are multiples of 1/16
          for (int64_t k = 0; k < inner; ++k)
            sum +=
                a[static_cast<std::size_t>(i * inner + k)] * b[static_cast<std::size_t>(k * n + j)];
          ASSERT_EQ(c[static_cast<std::size_t>(i * n + j)], sum)
              << m << " " << n << ": " << i << " " << j;
        }
      }
    }
  }
}

TEST(SimdDispatch, UsesTheSimdWidthOfTheProcessor) {
  const auto taken = simd_dispatch([&](auto lanes) TFM_BODY { return decltype(lanes)::count; });
  EXPECT_EQ(taken, simd_width());
  EXPECT_THAT(taken, testing::AnyOf(4, 8, max_lanes));
}

}  // namespace
}  // namespace tfm
