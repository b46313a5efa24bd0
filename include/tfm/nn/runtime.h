// LibTorch's global state, set in one place: device, threads, random numbers.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace tfm {

/// "auto" (CUDA where there is one, else the CPU), "cpu", "cuda" or "cuda:N".
/// Throws ConfigError for another name, ModelError where that device is not there.
torch::Device select_device(std::string_view name);

/// CUDA devices that LibTorch sees.
int gpu_count();

/// 0: as many as the machine has cores.
void set_threads(int64_t threads);

/// Freed memory stays with the process: a training step takes as much as the one before, and getting it from the system again costs a page fault for
/// each 4 KiB. Only with the GNU C library.
void reuse_memory();

/// Seeds every generator of the device.
void seed_everything(uint64_t seed);

/// "2.13.0"
std::string libtorch_version();

/// "LibTorch 2.13.0, CPU, 2 threads" / "LibTorch 2.11.0, CUDA 0, 16 threads"
std::string describe_runtime(torch::Device device);

}  // namespace tfm
