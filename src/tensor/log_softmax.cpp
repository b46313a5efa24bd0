#include "tfm/tensor/log_softmax.h"

#include <ATen/Parallel.h>
#include <ATen/ops/log_softmax.h>

#include <algorithm>

#include "kernels/log_softmax_kernel.h"
#include "tfm/tensor/device.h"

namespace tfm {
namespace {

/// Calls row(begin, width) for each row of the matrix, in parallel. `begin` is the index of the
/// first element of the row.
template <class Row>
void for_rows(const torch::Tensor& matrix, const Row& row) {
  const int64_t width = matrix.size(1);
  at::parallel_for(0, matrix.size(0), std::max<int64_t>(1, 4096 / std::max<int64_t>(1, width)),
                   [&](int64_t begin, int64_t end) {
                     for (int64_t i = begin; i < end; ++i) row(i * width, width);
                   });
}

template <class T>
void run(const torch::Tensor& logits, const torch::Tensor& log_probs) {
  const auto* from = static_cast<const T*>(logits.const_data_ptr());
  auto* to = log_probs.mutable_data_ptr<float>();
  for_rows(logits,
           [&](int64_t begin, int64_t width) { log_softmax_row(from + begin, width, to + begin); });
}

}  // namespace

torch::Tensor log_softmax_rows(const torch::Tensor& logits) {
  if (!has_tfm_kernels(logits))
    return at::log_softmax(logits, -1, torch::kFloat32).cpu().contiguous();
  const auto contiguous = logits.contiguous();
  const auto log_probs = torch::empty(logits.sizes(), logits.options().dtype(torch::kFloat32));
  logits.scalar_type() == torch::kFloat32 ? run<float>(contiguous, log_probs)
                                          : run<Bf16>(contiguous, log_probs);
  return log_probs;
}

torch::Tensor log_softmax_rows_(const torch::Tensor& logits) {
  if (!has_tfm_kernels(logits) || logits.scalar_type() != torch::kFloat32 ||
      !logits.is_contiguous())
    return log_softmax_rows(logits);
  auto* rows = logits.mutable_data_ptr<float>();
  for_rows(logits, [&](int64_t begin, int64_t width) { log_softmax_row(rows + begin, width); });
  return logits;
}

}  // namespace tfm
