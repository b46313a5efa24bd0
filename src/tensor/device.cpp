#include "tfm/tensor/device.h"

#include <torch/cuda.h>

#include "tfm/core/error.h"
#include "tfm/core/format.h"
#include "tfm/tensor/packed_weight.h"
#include "tfm/tensor/runtime.h"

namespace tfm {

torch::Device select_device(std::string_view name) {
  if (name == "auto")
    return torch::cuda::is_available() ? torch::Device(torch::kCUDA, 0)
                                       : torch::Device(torch::kCPU);
  if (name == "cpu") return torch::Device(torch::kCPU);
  const bool cuda =
      name == "cuda" || (name.starts_with("cuda:") && name.size() > 5 && name.size() <= 8 &&
                         name.find_first_not_of("0123456789", 5) == name.npos);
  if (!cuda)
    throw ConfigError("--device", "'" + std::string(name) + "' is not a device",
                      "Use auto, cpu, cuda or cuda:N.");
  const int index = name == "cuda" ? 0 : std::stoi(std::string(name.substr(5)));
  const auto count = gpu_count();
  if (index >= count) {
    throw ModelError(
        "--device",
        std::string(name) + " is not available: LibTorch sees " + std::to_string(count) +
            " CUDA devices",
        "Use --device auto or cpu, or check the driver and whether LibTorch is a CUDA build.");
  }
  return torch::Device(torch::kCUDA, static_cast<c10::DeviceIndex>(index));
}

std::string resolve_device(std::string_view name) { return select_device(name).str(); }

bool supports_bf16(torch::Device device) { return !device.is_cpu() || cpu_supports_bf16(); }

std::string describe_runtime(torch::Device device) {
  const auto where = device.is_cuda()
                         ? "CUDA " + std::to_string(static_cast<unsigned char>(device.index()))
                         : std::string("CPU");
  return "LibTorch " + libtorch_version() + ", " + where + ", " +
         with_noun(thread_count(), "thread");
}

std::string describe_runtime(const std::string& device) {
  return describe_runtime(torch::Device(device));
}

}  // namespace tfm
