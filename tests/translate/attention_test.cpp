#include "tfm/translate/attention.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tiny_model.h"

namespace tfm {
namespace {

TEST(ComputePairAttention, ReturnsAProbabilityDistributionForEachQuery) {
  auto model = tiny_model();  // 2 layers, 2 heads
  const auto pair = encode_pair(model, "a b c", "d e");
  ASSERT_TRUE(pair.has_value());
  const auto attention = compute_pair_attention(model, *pair);
  EXPECT_EQ(attention.encoder.columns, 4);  // a b c eos
  EXPECT_EQ(attention.decoder.columns, 3);  // bos d e
  for (const auto* array : {&attention.encoder, &attention.decoder, &attention.cross}) {
    EXPECT_EQ(array->layers, 2);
    EXPECT_EQ(array->heads, 2);
    ASSERT_EQ(std::ssize(array->values), 2 * 2 * array->rows * array->columns);
    for (auto row = array->values.begin(); row != array->values.end(); row += array->columns)
      EXPECT_NEAR(std::accumulate(row, row + array->columns, 0.0), 1, 1e-5);
  }
  EXPECT_EQ(attention.cross.rows, 3);
  EXPECT_EQ(attention.cross.columns, 4);
}

}  // namespace
}  // namespace tfm
