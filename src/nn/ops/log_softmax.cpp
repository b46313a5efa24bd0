#include "tfm/nn/ops/log_softmax.h"

#include <ATen/Parallel.h>
#include <ATen/ops/log_softmax.h>

#include <algorithm>

#include "tfm/nn/ops/log_softmax_kernel.h"

namespace tfm {
namespace {

template <class T>
void run(const torch::Tensor& logits, const torch::Tensor& log_probs) {
  const auto* from = static_cast<const T*>(logits.const_data_ptr());
  auto* to = log_probs.mutable_data_ptr<float>();
  const int64_t width = logits.size(1);
  at::parallel_for(0, logits.size(0), std::max<int64_t>(1, 4096 / std::max<int64_t>(1, width)), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) log_softmax_row(from + row * width, width, to + row * width);
  });
}

}  // namespace

torch::Tensor log_softmax_rows(const torch::Tensor& logits) {
  const bool wide = logits.scalar_type() == torch::kFloat32;
  if (!logits.is_cpu() || (!wide && logits.scalar_type() != torch::kBFloat16)) {
    return at::log_softmax(logits, -1, torch::kFloat32).cpu().contiguous();
  }
  const auto contiguous = logits.contiguous();
  const auto log_probs = torch::empty(logits.sizes(), logits.options().dtype(torch::kFloat32));
  wide ? run<float>(contiguous, log_probs) : run<Bf16Bits>(contiguous, log_probs);
  return log_probs;
}

}  // namespace tfm
