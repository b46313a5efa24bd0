// Selects the CPU or a CUDA device, as LibTorch's device type, and answers what code needs to know
// about a device. No other code compares a device with the CPU or CUDA: each question here says
// what it means, so that another device needs new answers, not new comparisons.
#pragma once

#include <torch/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace tfm {

/// Does the same as resolve_device (runtime.h), but returns the device as LibTorch's type. If it is
/// a GPU, also sets LibTorch's choice of attention kernels for the whole process.
torch::Device select_device(std::string_view name);

/// Returns true if tfm has its own kernels for the device: attention and cross-entropy without
/// padding, KV caches that are never copied, dropout without a mask, packed weights and int8. On
/// other devices, LibTorch's operations compute the same.
inline bool has_tfm_kernels(torch::Device device) { return device.is_cpu(); }
/// Returns true if these kernels take x: on such a device, in fp32 or bf16.
inline bool has_tfm_kernels(const torch::Tensor& x) {
  return x.is_cpu() && (x.scalar_type() == torch::kFloat32 || x.scalar_type() == torch::kBFloat16);
}

/// Returns true if tensors on the device are in the memory of this process: they can be mapped from
/// a file, and the system reports how much is free.
inline bool uses_host_memory(torch::Device device) { return device.is_cpu(); }

/// Returns the bytes of a GPU's memory that are free. Returns nullopt for the CPU (core/memory.h),
/// and if LibTorch is older than 2.10 or does not know it.
std::optional<double> free_device_memory(torch::Device device);

/// Returns true if the device computes on the threads of this process, so that several threads with
/// an operation each are faster than one.
inline bool uses_host_threads(torch::Device device) { return device.is_cpu(); }

/// Returns true if starting an operation takes so long that two operations in one are faster, even
/// if they then round differently.
inline bool prefers_fewer_operations(torch::Device device) { return !device.is_cpu(); }

/// Returns true if the device computes while the host does something else, so that copies to it
/// need not wait for the operations before them.
inline bool computes_asynchronously(torch::Device device) { return device.is_cuda(); }
/// Returns x, which is on the CPU, in memory from which upload need not wait: page-locked memory if
/// the device computes asynchronously, otherwise x itself.
torch::Tensor stage_upload(const torch::Tensor& x, torch::Device device);
/// Copies x, which is on the CPU, to the device, without waiting for it if it computes
/// asynchronously.
torch::Tensor upload(const torch::Tensor& x, torch::Device device);

/// Returns true if operations on the device draw from a random generator of their own, not from the
/// CPU's (random_state.h).
inline bool has_own_generator(torch::Device device) { return !device.is_cpu(); }

/// Returns true if attention to x is faster in fp32, even if x is in bf16. LibTorch's kernel for
/// the CPU sets up each small GEMM separately in bf16, which takes longer than the GEMM itself.
inline bool attends_faster_in_fp32(const torch::Tensor& x) { return x.is_cpu(); }

/// Returns true if the device multiplies in bf16 in hardware. On the CPU, the processor decides;
/// GPUs have it from compute capability 8.0 on.
bool supports_bf16(torch::Device device);
/// Returns true if the device multiplies in fp16 in hardware. Such a device is then faster in bf16
/// or fp16 than in fp32, for models of every size.
inline bool supports_fp16(torch::Device device) { return device.is_cuda(); }

/// Returns the same description of a device as describe_runtime in runtime.h.
std::string describe_runtime(torch::Device device);

}  // namespace tfm
