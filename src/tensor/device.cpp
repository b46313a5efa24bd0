#include "tfm/tensor/device.h"

#include <ATen/Context.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <torch/cuda.h>
#include <torch/version.h>

#include "tfm/core/error.h"
#include "tfm/core/format.h"
#include "tfm/tensor/cuda_state.h"
#include "tfm/tensor/packed_weight.h"
#include "tfm/tensor/runtime.h"

namespace tfm {

torch::Device select_device(std::string_view name) {
  if (name == "auto") return select_device(torch::cuda::is_available() ? "cuda" : "cpu");
  if (name == "cpu") return torch::Device(torch::kCPU);
  const bool cuda =
      name == "cuda" || (name.starts_with("cuda:") && name.size() > 5 && name.size() <= 8 &&
                         name.find_first_not_of("0123456789", 5) == name.npos);
  if (!cuda)
    throw ConfigError("--device", "'" + std::string(name) + "' is not a device",
                      "Use auto, cpu, cuda or cuda:N.");
  const int index = name == "cuda" ? 0 : std::stoi(std::string(name.substr(5)));
  if (index >= gpu_count()) {
    const auto problem = explain_missing_gpu(find_cuda_state(), index);
    throw ModelError("--device", std::string(name) + " is not available: " + problem.cause,
                     problem.remedy);
  }
  // cuDNN plans attention again for each shape. On an H200, that took most of the time of an
  // update. LibTorch's flash attention needs no plan.
  at::globalContext().setSDPUseCuDNN(false);
  return torch::Device(torch::kCUDA, static_cast<c10::DeviceIndex>(index));
}

torch::Tensor stage_upload(const torch::Tensor& x, torch::Device device) {
  return computes_asynchronously(device) ? x.pin_memory() : x;
}

torch::Tensor upload(const torch::Tensor& x, torch::Device device) {
  return stage_upload(x, device).to(torch::TensorOptions(device), computes_asynchronously(device));
}

std::optional<double> free_device_memory([[maybe_unused]] torch::Device device) {
#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 10
  if (uses_host_memory(device)) return std::nullopt;
  auto* allocator = dynamic_cast<c10::DeviceAllocator*>(c10::GetAllocator(device.type()));
  if (allocator != nullptr)
    return static_cast<double>(allocator->getMemoryInfo(device.index()).first);
#endif
  return std::nullopt;
}

std::string resolve_device(std::string_view name) { return select_device(name).str(); }

bool supports_bf16(torch::Device device) {
  if (device.is_cpu()) return cpu_supports_bf16();
  constexpr int first_with_bf16 = 80;
  const int capability = find_compute_capability(device.index());
  return capability == 0 || capability >= first_with_bf16;
}

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
