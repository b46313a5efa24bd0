#include "tfm/nn/ops/int8_panels.h"

#include <gtest/gtest.h>

namespace tfm {
namespace {

torch::Tensor whole_numbers(torch::IntArrayRef sizes) {
  return torch::randint(-127, 128, sizes, torch::kInt8);
}

TEST(Int8Panels, AddUpExactly) {
  if (!has_int8_panels()) GTEST_SKIP() << "this processor has no instructions for it";
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
    const auto found =
        multiply_int8_panels(values, ones(rows), to_int8_panels(weight, ones(out)), {});
    const auto expected =
        values.to(torch::kInt64).matmul(weight.to(torch::kInt64).t()).to(torch::kFloat32);
    EXPECT_TRUE(found.equal(expected)) << rows << " x " << in << " x " << out;
  }
}

TEST(Int8Panels, TakeTheLargestSums) {
  if (!has_int8_panels()) GTEST_SKIP() << "this processor has no instructions for it";
  const auto extreme = torch::full({9, 300}, -127, torch::kInt8);
  const auto found = multiply_int8_panels(
      extreme, torch::ones({9}),
      to_int8_panels(torch::full({40, 300}, 127, torch::kInt8), torch::ones({40})), {});
  EXPECT_TRUE(found.eq(-127.0 * 127 * 300).all().item<bool>());
}

TEST(Int8Panels, ScaleRowsAndColumnsAndAddTheBias) {
  if (!has_int8_panels()) GTEST_SKIP() << "this processor has no instructions for it";
  torch::manual_seed(5);
  const auto values = whole_numbers({10, 64});
  const auto weight = whole_numbers({48, 64});
  auto rows = torch::rand({10});
  const auto columns = torch::rand({48});
  const auto bias = torch::randn({48});
  const auto product = values.to(torch::kFloat32).matmul(weight.to(torch::kFloat32).t());
  const auto found = multiply_int8_panels(values, rows, to_int8_panels(weight, columns), bias);
  EXPECT_TRUE(torch::allclose(found, product * rows.unsqueeze(1) * columns + bias, 1e-5, 1e-3));
  rows[3] = std::numeric_limits<float>::quiet_NaN();
  const auto faulty = multiply_int8_panels(values, rows, to_int8_panels(weight, columns), bias);
  EXPECT_TRUE(faulty[3].isnan().all().item<bool>());
  EXPECT_TRUE(faulty[4].equal(found[4]));
}

}  // namespace
}  // namespace tfm
