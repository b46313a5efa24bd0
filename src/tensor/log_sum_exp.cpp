#include "tfm/tensor/log_sum_exp.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/topk.h>

#include <algorithm>
#include <bit>
#include <span>

#include "kernels/log_sum_exp_kernel.h"
#include "tfm/tensor/device.h"

namespace tfm {
namespace {

using RowKernel = float (*)(const float* logits, int64_t width, int64_t block, float* block_maxima);

/// Sets each log-sum to what the kernel returns for the row.
NormalizedLogits normalize(const torch::Tensor& logits, std::int64_t block_size, RowKernel kernel) {
  NormalizedLogits result{logits.to(torch::kCPU, torch::kFloat32).contiguous(), {}, {}};
  const int64_t rows = logits.size(0);
  const int64_t width = logits.size(1);
  const int64_t blocks = (width + block_size - 1) / block_size;
  result.log_sums.resize(static_cast<std::size_t>(rows));
  result.block_maxima.resize(static_cast<std::size_t>(rows * blocks));
  const auto* from = result.logits.const_data_ptr<float>();
  at::parallel_for(0, rows, std::max<int64_t>(1, 4096 / std::max<int64_t>(1, width)),
                   [&](int64_t begin, int64_t end) {
                     for (int64_t row = begin; row < end; ++row)
                       result.log_sums[static_cast<std::size_t>(row)] =
                           kernel(from + row * width, width, block_size,
                                  result.block_maxima.data() + row * blocks);
                   });
  return result;
}

}  // namespace

NormalizedLogits log_sum_exp_rows(const torch::Tensor& logits, std::int64_t block_size) {
  return normalize(logits, block_size, log_sum_exp_row);
}

NormalizedLogits block_maxima_rows(const torch::Tensor& logits, std::int64_t block_size) {
  return normalize(logits, block_size, block_maxima_row);
}

TopTokens top_tokens(const torch::Tensor& log_probs, std::int64_t count) {
  const auto on_device =
      at::empty({2, log_probs.size(0), count}, log_probs.options().dtype(torch::kInt32));
  auto values = on_device[1].view(torch::kFloat32);
  auto tokens = at::empty(values.sizes(), log_probs.options().dtype(torch::kInt64));
  at::topk_out(values, tokens, log_probs, count, -1);
  on_device[0].copy_(tokens);
  const auto both = on_device.cpu();
  const auto whole = [](const torch::Tensor& x) {
    const auto* first = x.const_data_ptr<std::int32_t>();
    return std::span(first, static_cast<std::size_t>(x.numel()));
  };
  const auto ids = whole(both[0]);
  const auto bits = whole(both[1]);
  TopTokens result{{ids.begin(), ids.end()}, {}};
  result.log_probs.reserve(bits.size());
  for (const std::int32_t value : bits) result.log_probs.push_back(std::bit_cast<float>(value));
  return result;
}

torch::Tensor select_log_probs(const torch::Tensor& logits, const torch::Tensor& tokens) {
  const auto chosen = [&](const torch::Tensor& values) {
    return values.gather(1, tokens.to(values.device()).unsqueeze(1)).squeeze(1);
  };
  if (!uses_host_memory(logits.device()))
    return chosen(at::log_softmax(logits, -1, torch::kFloat32)).cpu();
  const int64_t whole_row = (logits.size(1) / 16 + 1) * 16;
  const auto normalized = log_sum_exp_rows(logits, whole_row);
  return chosen(normalized.logits) - at::tensor(normalized.log_sums);
}

}  // namespace tfm
