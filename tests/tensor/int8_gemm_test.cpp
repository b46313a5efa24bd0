#include "tfm/tensor/int8_gemm.h"

#include <gtest/gtest.h>

#include "kernels/cpu_features.h"

namespace tfm {
namespace {

torch::Tensor whole_numbers(torch::IntArrayRef sizes) {
  return torch::randint(-127, 128, sizes, torch::kInt8);
}

TEST(Int8Gemm, SumsProductsExactly) {
  if (!cpu_features().vnni) GTEST_SKIP() << "this processor has no AVX-512 VNNI";
  torch::manual_seed(4);
  for (const auto& [rows, in, out] : {std::tuple<int64_t, int64_t, int64_t>{1, 1, 1},
                                      {8, 4, 32},
                                      {7, 130, 33},
                                      {33, 128, 100},
                                      {2, 513, 16},
                                      {70, 600, 1030},
                                      {0, 8, 40}}) {
    const auto values = whole_numbers({rows, in});
    const auto weight = whole_numbers({out, in});
    const auto ones = [](int64_t n) { return torch::ones({n}); };
    const auto found = int8_gemm(values, ones(rows), pack_int8(weight, ones(out)), {});
    const auto expected =
        values.to(torch::kInt64).matmul(weight.to(torch::kInt64).t()).to(torch::kFloat32);
    EXPECT_TRUE(found.equal(expected)) << rows << " x " << in << " x " << out;
  }
}

TEST(Int8Gemm, SumsTheLargestProductsWithoutOverflow) {
  if (!cpu_features().vnni) GTEST_SKIP() << "this processor has no AVX-512 VNNI";
  const auto extreme = torch::full({9, 300}, -127, torch::kInt8);
  const auto found =
      int8_gemm(extreme, torch::ones({9}),
                pack_int8(torch::full({40, 300}, 127, torch::kInt8), torch::ones({40})), {});
  EXPECT_TRUE(found.eq(-127.0 * 127 * 300).all().item<bool>());
}

TEST(Int8Gemm, ScalesRowsAndColumnsAndAddsTheBias) {
  if (!cpu_features().vnni) GTEST_SKIP() << "this processor has no AVX-512 VNNI";
  torch::manual_seed(5);
  const auto values = whole_numbers({10, 64});
  const auto weight = whole_numbers({48, 64});
  auto rows = torch::rand({10});
  const auto columns = torch::rand({48});
  const auto bias = torch::randn({48});
  const auto product = values.to(torch::kFloat32).matmul(weight.to(torch::kFloat32).t());
  const auto found = int8_gemm(values, rows, pack_int8(weight, columns), bias);
  EXPECT_TRUE(torch::allclose(found, product * rows.unsqueeze(1) * columns + bias, 1e-5, 1e-3));
  rows[3] = std::numeric_limits<float>::quiet_NaN();
  const auto faulty = int8_gemm(values, rows, pack_int8(weight, columns), bias);
  EXPECT_TRUE(faulty[3].isnan().all().item<bool>());
  EXPECT_TRUE(faulty[4].equal(found[4]));
}

}  // namespace
}  // namespace tfm
