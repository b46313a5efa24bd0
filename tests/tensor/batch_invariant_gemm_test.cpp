#include "tfm/tensor/batch_invariant_gemm.h"

#include <gtest/gtest.h>
#include <torch/utils.h>

#include "tfm/tensor/activation.h"
#include "tfm/tensor/runtime.h"

namespace tfm {
namespace {

TEST(BatchInvariantGemm, EqualsTorchLinear) {
  torch::manual_seed(1);
  for (const auto& [rows, in, out] : {std::tuple<int64_t, int64_t, int64_t>{1, 1, 1},
                                      {5, 30, 64},
                                      {7, 20, 33},
                                      {64, 128, 96},
                                      {13, 300, 501}}) {
    const auto x = torch::randn({rows, in});
    const auto weight = torch::randn({out, in});
    const auto bias = torch::randn({out});
    EXPECT_TRUE(torch::allclose(batch_invariant_gemm(x, pack_panels(weight), bias, out),
                                torch::linear(x, weight, bias), 1e-4, 1e-4))
        << rows;
    EXPECT_TRUE(torch::allclose(batch_invariant_gemm(x, pack_panels(weight), {}, out),
                                torch::linear(x, weight), 1e-4, 1e-4))
        << rows;
  }
  EXPECT_EQ(batch_invariant_gemm(torch::empty({0, 8}), pack_panels(torch::randn({40, 8})), {}, 40)
                .sizes(),
            (std::vector<int64_t>{0, 40}));
}

/// The result of a row must be the same, bit for bit, alone and among other rows, at any position
/// and with any number of threads.
TEST(BatchInvariantGemm, ComputesEachRowIndependentlyOfTheOtherRows) {
  torch::manual_seed(2);
  const auto weight = torch::randn({300, 257});
  const auto panels = pack_panels(weight);
  const auto bias = torch::randn({300});
  const auto x = torch::randn({97, 257});
  const auto together = batch_invariant_gemm(x, panels, bias, 300);
  for (const int64_t row : {0, 1, 5, 6, 41, 95, 96}) {
    const ThreadCountGuard one(1);
    EXPECT_TRUE(batch_invariant_gemm(x.narrow(0, row, 1), panels, bias, 300)
                    .equal(together.narrow(0, row, 1)))
        << row;
  }
  for (int64_t rows = 2; rows <= 13; ++rows) {
    EXPECT_TRUE(batch_invariant_gemm(x.slice(0, 3, 3 + rows), panels, bias, 300)
                    .equal(together.slice(0, 3, 3 + rows)))
        << rows;
  }
}

TEST(BatchInvariantActivation, EqualsLibTorchAndComputesEachElementIndependently) {
  const auto x = torch::linspace(-8, 8, 1001);
  EXPECT_TRUE(torch::allclose(batch_invariant_gelu(x), torch::gelu(x), 1e-5, 1e-6));
  EXPECT_TRUE(torch::allclose(batch_invariant_silu(x), torch::silu(x), 1e-5, 1e-6));
  for (const int64_t i : {0, 7, 993, 1000}) {
    EXPECT_TRUE(
        batch_invariant_gelu(x.narrow(0, i, 1)).equal(batch_invariant_gelu(x).narrow(0, i, 1)));
    EXPECT_TRUE(
        batch_invariant_silu(x.narrow(0, i, 1)).equal(batch_invariant_silu(x).narrow(0, i, 1)));
  }
  const auto rounded = x.to(torch::kBFloat16);
  EXPECT_EQ(batch_invariant_gelu(rounded).scalar_type(), torch::kBFloat16);
  EXPECT_TRUE(torch::allclose(batch_invariant_gelu(rounded).to(torch::kFloat32),
                              torch::gelu(rounded.to(torch::kFloat32)), 0.01, 0.01));
}

}  // namespace
}  // namespace tfm
