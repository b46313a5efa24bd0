#pragma once

#include <gtest/gtest.h>
#include <torch/types.h>

namespace tfm {

inline void expect_close(const torch::Tensor& a, const torch::Tensor& b, double tolerance = 1e-5) {
  ASSERT_EQ(a.sizes(), b.sizes());
  EXPECT_LT((a - b).abs().max().item<double>(), tolerance);
}

}  // namespace tfm
