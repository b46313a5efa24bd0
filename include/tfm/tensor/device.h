// Where tensors live and are computed: the CPU or one CUDA device.
#pragma once

#include <torch/types.h>

#include <string>
#include <string_view>

namespace tfm {

/// The device that resolve_device (runtime.h) names, as LibTorch's type. Throws as it does.
torch::Device select_device(std::string_view name);

/// describe_runtime of runtime.h for LibTorch's type.
std::string describe_runtime(torch::Device device);

}  // namespace tfm
