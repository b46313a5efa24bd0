// Products of rows with a matrix in which a row's result, bit for bit, does not depend on how many
// rows there are, where among them it stands, or how many threads work: every row is added up from
// the first number to the last. A library chooses kernels by the number of rows and so adds up in
// another order for another number. W is laid out beforehand; a library lays out a part of it each
// time, so that products of few rows take a third to two thirds of its time here. Of hundreds of
// rows and a large W a library's are faster, by a fifth with AVX2. The plain reference is
// torch::linear.
#pragma once

#include <torch/types.h>

namespace tfm {

/// W [out, in] fp32 -> its transpose cut into panels of 32 columns, [ceil(out / 32), in, 32], with
/// zeros beyond out.
torch::Tensor pack_panels(const torch::Tensor& weight);

/// x [N, in] fp32, panels of W, bias [out] fp32 or undefined -> x W^T + bias, [N, out] fp32, on the
/// CPU. Without gradient.
torch::Tensor batch_invariant_gemm(const torch::Tensor& x, const torch::Tensor& panels,
                                   const torch::Tensor& bias, int64_t out);

}  // namespace tfm
