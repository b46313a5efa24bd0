#include "tfm/losses/consistency_loss_gradient.h"

#include <ATen/Parallel.h>

#include "kernels/consistency_loss_kernel.h"

namespace tfm {
namespace {

template <class T>
void run(torch::Tensor& logits, const torch::Tensor& targets, const ConsistencyWeights& weights,
         torch::Tensor& smoothed, torch::Tensor& plain) {
  const int64_t size = logits.size(1);
  auto* rows = static_cast<T*>(logits.mutable_data_ptr());
  const auto* target = targets.const_data_ptr<int64_t>();
  auto* smoothed_out = smoothed.mutable_data_ptr<float>();
  auto* plain_out = plain.mutable_data_ptr<float>();
  at::parallel_for(0, targets.size(0), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto loss = consistency_loss_gradient(rows + 2 * i * size, rows + (2 * i + 1) * size,
                                                  size, target[i], weights);
      smoothed_out[i] = loss.smoothed;
      plain_out[i] = loss.plain;
    }
  });
}

}  // namespace

void consistency_loss_backward_(torch::Tensor& logits, const torch::Tensor& targets,
                                const ConsistencyLoss& loss, torch::Tensor& smoothed,
                                torch::Tensor& plain) {
  const auto to_float = [](double x) { return static_cast<float>(x); };
  const ConsistencyWeights weights{to_float(loss.label_smoothing), to_float(loss.first),
                                   to_float(loss.second), to_float(loss.forward),
                                   to_float(loss.backward)};
  logits.scalar_type() == torch::kFloat32 ? run<float>(logits, targets, weights, smoothed, plain)
                                          : run<Bf16>(logits, targets, weights, smoothed, plain);
}

}  // namespace tfm
