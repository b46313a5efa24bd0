// Converts row numbers and token ids to the tensor that LibTorch's index operations and embeddings
// take.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <span>

#include "tfm/tensor/device.h"

namespace tfm {

/// Returns the values as [N] int64 on the device.
inline torch::Tensor index_tensor(std::span<const std::int32_t> values, torch::Device device) {
  return upload(
      torch::tensor(at::ArrayRef<std::int32_t>(values.data(), values.size()), torch::kInt64),
      device);
}

}  // namespace tfm
