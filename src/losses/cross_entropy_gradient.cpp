#include "tfm/losses/cross_entropy_gradient.h"

#include <ATen/Parallel.h>

#include "kernels/cross_entropy_kernel.h"

namespace tfm {
namespace {

template <class T>
void run(torch::Tensor& logits, const torch::Tensor& targets, float smoothing, torch::Tensor& plain,
         torch::Tensor& uniform) {
  const int64_t size = logits.size(1);
  auto* rows = static_cast<T*>(logits.mutable_data_ptr());
  const auto* target = targets.const_data_ptr<int64_t>();
  auto* plain_out = plain.mutable_data_ptr<float>();
  auto* uniform_out = uniform.mutable_data_ptr<float>();
  at::parallel_for(0, logits.size(0), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const RowLoss loss = cross_entropy_gradient(rows + i * size, size, target[i], smoothing);
      plain_out[i] = loss.plain;
      uniform_out[i] = loss.uniform;
    }
  });
}

}  // namespace

void cross_entropy_backward_(torch::Tensor& logits, const torch::Tensor& targets,
                             double label_smoothing, torch::Tensor& plain, torch::Tensor& uniform) {
  const auto smoothing = static_cast<float>(label_smoothing);
  logits.scalar_type() == torch::kFloat32 ? run<float>(logits, targets, smoothing, plain, uniform)
                                          : run<Bf16>(logits, targets, smoothing, plain, uniform);
}

}  // namespace tfm
