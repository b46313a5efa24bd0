#include "tfm/tensor/decode_attention.h"

#include <gtest/gtest.h>
#include <torch/utils.h>

#include <random>

#include "tfm/nn/attention.h"

namespace tfm {
namespace {

/// Compares decode_attention with the reference implementation. Each row attends to random rows of
/// `memory`, in any order; the reference implementation receives copies of these rows.
void expect_reference_result(int64_t heads, int64_t width, torch::ScalarType type,
                             double tolerance) {
  const torch::InferenceMode inference;
  std::mt19937 random(static_cast<unsigned>(heads * 100 + width));
  const int64_t inner = heads * width;
  const auto memory = torch::randn({50, 2 * inner}).to(type);
  const auto queries = torch::randn({9, 3 * inner}).to(type);
  std::vector<std::vector<int64_t>> seen(9);
  for (std::size_t row = 0; row < seen.size(); ++row) {
    // The first row has no keys.
    for (std::size_t i = 0; i < 4 * row + row / 3; ++i)
      seen[row].push_back(static_cast<int64_t>(random() % 50));
  }
  const auto found =
      decode_attention(queries, heads, width, [&](int64_t row, std::vector<const void*>& keys) {
        for (const auto key : seen[static_cast<std::size_t>(row)])
          keys.push_back(memory[key].const_data_ptr());
      });
  ASSERT_EQ(found.scalar_type(), type);
  EXPECT_EQ(found[0].abs().max().item<double>(), 0);
  for (int64_t row = 1; row < 9; ++row) {
    const auto own =
        memory.index_select(0, torch::tensor(seen[static_cast<std::size_t>(row)], torch::kInt64))
            .to(torch::kFloat64);
    // [1, H, S, Dh]
    const auto split = [&](const torch::Tensor& x) {
      return x.unflatten(-1, {heads, width}).transpose(0, 1).unsqueeze(0);
    };
    const auto query = queries[row].slice(0, 0, inner).to(torch::kFloat64).unsqueeze(0);
    const auto expected = scaled_dot_product_attention(
        split(query), {split(own.slice(1, 0, inner)), split(own.slice(1, inner))}, AttentionMask{});
    const auto difference =
        (found[row].to(torch::kFloat64) - expected.flatten()).abs().max().item<double>();
    EXPECT_LT(difference, tolerance) << "row " << row << ", " << heads << " heads of " << width;
  }
}

TEST(DecodeAttention, EqualsTheReferenceWithKeysAnywhereInMemory) {
  for (const int64_t width : {1, 4, 5, 8, 16, 20, 32, 64, 80, 128}) {
    for (const int64_t heads : {1, 4}) expect_reference_result(heads, width, torch::kFloat32, 1e-5);
  }
}

TEST(DecodeAttention, DiffersFromTheReferenceOnlyByRoundingInBf16) {
  for (const int64_t width : {4, 8, 16, 20, 32, 64, 128})
    expect_reference_result(2, width, torch::kBFloat16, 0.02);
}

}  // namespace
}  // namespace tfm
