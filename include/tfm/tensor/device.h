// Selects the CPU or a CUDA device, as LibTorch's device type.
#pragma once

#include <torch/types.h>

#include <string>
#include <string_view>

namespace tfm {

/// Does the same as resolve_device (runtime.h), but returns the device as LibTorch's type.
torch::Device select_device(std::string_view name);

/// Returns the same description of a device as describe_runtime in runtime.h.
std::string describe_runtime(torch::Device device);

}  // namespace tfm
