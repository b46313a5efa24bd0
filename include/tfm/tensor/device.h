// Selects the CPU or a CUDA device, as LibTorch's device type.
#pragma once

#include <torch/types.h>

#include <string>
#include <string_view>

namespace tfm {

/// Returns the device that resolve_device (runtime.h) returns for this name. Throws the same
/// errors.
torch::Device select_device(std::string_view name);

/// Returns the text of describe_runtime in runtime.h for a device.
std::string describe_runtime(torch::Device device);

}  // namespace tfm
