#include "tfm/tensor/decode_attention.h"

#include <gtest/gtest.h>
#include <torch/utils.h>

#include <limits>
#include <random>

#include "tfm/nn/attention.h"

namespace tfm {
namespace {

/// Returns the numbers that keys and values in 8 bits stand for.
torch::Tensor numbers_of(const torch::Tensor& rows) {
  const auto numbers = rows.slice(1, 0, -8).to(torch::kFloat32).unflatten(1, {2, -1});
  const auto scales = rows.slice(1, -8).contiguous().view(torch::kFloat32);
  return (numbers * scales.unsqueeze(2)).flatten(1);
}

/// Compares decode_attention with the reference implementation. Each row attends to random rows of
/// `memory`, in any order; the reference implementation receives copies of these rows. `key_type`
/// is `type` or int8.
void expect_reference_result(int64_t heads, int64_t width, torch::ScalarType type,
                             torch::ScalarType key_type, double tolerance) {
  const torch::InferenceMode inference;
  std::mt19937 random(static_cast<unsigned>(heads * 100 + width));
  const int64_t inner = heads * width;
  const auto exact = torch::randn({50, 2 * inner});
  const bool int8 = key_type == torch::kInt8;
  const auto memory = int8 ? quantize_key_values(exact) : exact.to(key_type);
  const auto queries = torch::randn({9, 3 * inner}).to(type);
  std::vector<std::vector<int64_t>> seen(9);
  for (std::size_t row = 0; row < seen.size(); ++row) {
    // The first row has no keys.
    for (std::size_t i = 0; i < 4 * row + row / 3; ++i)
      seen[row].push_back(static_cast<int64_t>(random() % 50));
  }
  const auto found = decode_attention(queries, {heads, width, key_type},
                                      [&](int64_t row, std::vector<const void*>& keys) {
                                        for (const auto key : seen[static_cast<std::size_t>(row)])
                                          keys.push_back(memory[key].const_data_ptr());
                                      });
  ASSERT_EQ(found.scalar_type(), type);
  EXPECT_EQ(found[0].abs().max().item<double>(), 0);
  for (int64_t row = 1; row < 9; ++row) {
    const auto own =
        (int8 ? numbers_of(memory) : memory)
            .index_select(0, torch::tensor(seen[static_cast<std::size_t>(row)], torch::kInt64))
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
    for (const int64_t heads : {1, 4, 6})
      expect_reference_result(heads, width, torch::kFloat32, torch::kFloat32, 1e-5);
  }
}

TEST(DecodeAttention, DiffersFromTheReferenceOnlyByRoundingInBf16) {
  for (const int64_t width : {4, 8, 16, 20, 32, 64, 128}) {
    for (const int64_t heads : {2, 4})
      expect_reference_result(heads, width, torch::kBFloat16, torch::kBFloat16, 0.02);
  }
}

TEST(DecodeAttention, ComputesInFp32WithTheNumbersThatKeysInInt8StandFor) {
  for (const int64_t width : {1, 3, 4, 8, 16, 20, 32, 64, 80, 128}) {
    for (const int64_t heads : {1, 3, 4, 8})
      expect_reference_result(heads, width, torch::kFloat32, torch::kInt8, 1e-5);
  }
}

TEST(QuantizeKeyValues, RoundsEachKeyAndEachValueToItsOwnStep) {
  const torch::InferenceMode inference;
  const auto exact = torch::randn({7, 48}) * torch::tensor({{0.1F, 30.0F}}).repeat({7, 24});
  const auto whole = torch::cat({exact.slice(1, 0, 48, 2), exact.slice(1, 1, 48, 2)}, 1);
  const auto error = (numbers_of(quantize_key_values(whole)) - whole).abs().unflatten(1, {2, 24});
  const auto step = whole.unflatten(1, {2, 24}).abs().amax(2, true) / 127;
  EXPECT_TRUE((error <= 0.5001 * step).all().item<bool>());
  EXPECT_TRUE(numbers_of(quantize_key_values(torch::zeros({1, 8}))).eq(0).all().item<bool>());
  EXPECT_EQ(quantize_key_values(torch::zeros({0, 8})).size(0), 0);
}

/// Search detects a diverged model by these NaNs.
TEST(DecodeAttention, ReturnsNanIfAKeyInInt8WasNotFinite) {
  const torch::InferenceMode inference;
  auto exact = torch::randn({3, 64});
  exact[1][5] = std::numeric_limits<float>::infinity();
  const auto memory = quantize_key_values(exact);
  const auto found = decode_attention(torch::randn({2, 32}), {1, 32, torch::kInt8},
                                      [&](int64_t row, std::vector<const void*>& keys) {
                                        for (const int64_t key : {0, 2})
                                          keys.push_back(memory[key].const_data_ptr());
                                        if (row == 1) keys.push_back(memory[1].const_data_ptr());
                                      });
  EXPECT_TRUE(found[0].isfinite().all().item<bool>());
  EXPECT_TRUE(found[1].isnan().all().item<bool>());
}

}  // namespace
}  // namespace tfm
