#include "tfm/training/softmax_kernel.h"

#include <ATen/Parallel.h>

#include <cmath>

#include "softmax_rows.h"

namespace tfm {
namespace {

struct RowLoss {
  float plain;
  float uniform;
};

template <class L, class T>
TFM_INLINE RowLoss gradient_row(T* row, int64_t size, int64_t target, float smoothing) {
  const RowSums sums = row_sums<L>(row, size);
  const float log_sum = std::log(sums.exp_sum);
  const float normaliser = sums.largest + log_sum;
  const float each = smoothing / static_cast<float>(size);
  const float target_logit = widen(row[target]);
  const float scale = 1.0F / sums.exp_sum;
  const int64_t whole = size - size % L::count;
  for (int64_t i = 0; i < whole; i += L::count)
    L::store(exp_of_negative(L::load(row + i) - sums.largest) * scale - each, row + i);
  for (int64_t i = whole; i < size; ++i)
    narrow(exp_of_negative(widen(row[i]) - sums.largest) * scale - each, row[i]);
  narrow(std::exp(target_logit - normaliser) - (1 - smoothing) - each, row[target]);
  return {normaliser - target_logit, normaliser - sums.sum / static_cast<float>(size)};
}

template <class T>
RowLoss row_to_gradient(T* row, int64_t size, int64_t target, float smoothing) {
  return with_lanes([&](auto lanes) TFM_BODY {
    return gradient_row<decltype(lanes)>(row, size, target, smoothing);
  });
}

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
      const RowLoss loss = row_to_gradient(rows + i * size, size, target[i], smoothing);
      plain_out[i] = loss.plain;
      uniform_out[i] = loss.uniform;
    }
  });
}

}  // namespace

void softmax_gradient_(torch::Tensor& logits, const torch::Tensor& targets, double label_smoothing,
                       torch::Tensor& plain, torch::Tensor& uniform) {
  const auto smoothing = static_cast<float>(label_smoothing);
  logits.scalar_type() == torch::kFloat32
      ? run<float>(logits, targets, smoothing, plain, uniform)
      : run<Bf16Bits>(logits, targets, smoothing, plain, uniform);
}

}  // namespace tfm
