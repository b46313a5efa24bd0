#include "tfm/nn/indirect_kv_cache.h"

#include <gtest/gtest.h>
#include <torch/utils.h>

namespace tfm {
namespace {

/// Tests a cache for two sentences, of three tokens and of one token, with one layer and two heads
/// of size 4.
struct IndirectKvCacheTest : testing::Test {
  const torch::InferenceMode inference;
  const UnpaddedLayout source{{3, 1}, 3};
  const torch::Tensor memory = torch::randn({4, 16});
  const torch::Tensor queries = torch::randn({2, 8});
  const std::vector<torch::Tensor> steps{torch::randn({2, 24}), torch::randn({2, 24})};

  /// Returns the self-attention of the second of two steps, between which the two rows are swapped.
  torch::Tensor self_attention(IndirectKvCache& cache) const {
    cache.begin_step();
    cache.self_attention(0, steps[0]);
    cache.reorder(std::vector<std::int32_t>{1, 0});
    cache.begin_step();
    return cache.self_attention(0, steps[1]);
  }

  /// Returns softmax(q k / sqrt(Dh)) v of one head over keys and values [N, 16].
  static torch::Tensor attend(const torch::Tensor& query, const torch::Tensor& keys_values,
                              int64_t head) {
    const auto part = [&](int64_t begin) {
      return keys_values.slice(1, begin + 4 * head, begin + 4 * head + 4);
    };
    return torch::softmax(part(0).mv(query.slice(0, 4 * head, 4 * head + 4)) / 2, 0)
        .matmul(part(8));
  }

  static torch::Tensor attend(const torch::Tensor& query, const torch::Tensor& keys_values) {
    return torch::cat({attend(query, keys_values, 0), attend(query, keys_values, 1)});
  }
};

TEST_F(IndirectKvCacheTest, RowsAttendToTheirSentenceAndTheirAncestors) {
  IndirectKvCache cache(source, {.heads = 2});
  cache.add_layer(memory);
  const auto cross = cache.cross_attention(0, queries);
  EXPECT_TRUE(cross[0].allclose(attend(queries[0], memory.slice(0, 0, 3)), 1e-4, 1e-5));
  EXPECT_TRUE(cross[1].allclose(attend(queries[1], memory.slice(0, 3, 4)), 1e-4, 1e-5));
  const auto self = self_attention(cache);
  for (const int64_t row : {0, 1}) {
    const auto seen = torch::stack({steps[0][1 - row], steps[1][row]});
    EXPECT_TRUE(
        self[row].allclose(attend(steps[1][row].slice(0, 0, 8), seen.slice(1, 8)), 1e-4, 1e-5))
        << row;
  }
  EXPECT_EQ(cross.scalar_type(), torch::kFloat32);
}

TEST_F(IndirectKvCacheTest, RoundsKeysAndValuesTo8BitsIfConfigured) {
  IndirectKvCache exact(source, {.heads = 2});
  IndirectKvCache rounded(source, {.heads = 2, .int8 = true});
  exact.add_layer(memory);
  rounded.add_layer(memory);
  const auto expect_close = [](const torch::Tensor& found, const torch::Tensor& expected) {
    EXPECT_TRUE(found.allclose(expected, 0.05, 0.05));
    EXPECT_FALSE(found.equal(expected));
  };
  expect_close(rounded.cross_attention(0, queries), exact.cross_attention(0, queries));
  expect_close(self_attention(rounded), self_attention(exact));
}

/// A batch that sentences join and leave without end must not keep the steps of those that left.
TEST_F(IndirectKvCacheTest, FreesTheStepsThatNoRowNeeds) {
  IndirectKvCache cache(source, {.heads = 2});
  cache.add_layer(memory);
  cache.begin_step();
  auto first = steps[0].clone();
  const auto held = first.storage().getWeakStorageImpl();
  cache.self_attention(0, first);
  first.reset();
  cache.join(source);
  cache.add_layer(memory);
  EXPECT_FALSE(held.expired());
  cache.reorder(std::vector<std::int32_t>{2, 3});  // only rows that joined after the step
  EXPECT_TRUE(held.expired());
  EXPECT_EQ(cache.positions(), 0);
  cache.begin_step();
  const auto self = cache.self_attention(0, steps[1]);
  EXPECT_TRUE(self[0].allclose(steps[1][0].slice(0, 16, 24))) << "the only position";
}

}  // namespace
}  // namespace tfm
