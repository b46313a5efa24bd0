// Says whether CUDA can be used, and if not, why: LibTorch was built for the CPU, the driver is
// missing, too old or fails, or no GPU is visible. What was found is a value, and its description
// and the advice are pure functions of it. This header does not include LibTorch.
#pragma once

#include <optional>
#include <string>

namespace tfm {

/// Versions of CUDA are numbers as in CUDA's own headers: 13020 is 13.2.
struct CudaState {
  int built_version = 0;  ///< of LibTorch's CUDA; 0 if LibTorch was built for the CPU
  int gpus = 0;           ///< the number of GPUs that LibTorch finds
  /// the newest version that the driver supports; 0 if there is no driver
  int driver_version = 0;
  /// the name of the driver's error, or why it could not be loaded; empty if it works (also if it
  /// finds no GPU) or is not installed
  std::string driver_error = {};
  /// the value of CUDA_VISIBLE_DEVICES; nullopt if it is not set
  std::optional<std::string> visible_devices = {};
};

/// Asks LibTorch and, if LibTorch finds no GPU, the driver.
CudaState find_cuda_state();

/// Returns the compute capability of a GPU, such as 75 for 7.5, or 0 if the driver does not report
/// it. The number of the GPU counts only visible ones, as LibTorch's does.
int find_compute_capability(int index);

/// Returns text such as "built for the CPU", "built with CUDA 13.0; 2 GPUs" or "built with CUDA
/// 13.0; no GPU visible (no NVIDIA driver is installed)".
std::string describe_cuda(const CudaState& state);

struct CudaProblem {
  std::string cause;   ///< a clause: "no NVIDIA driver is installed"
  std::string remedy;  ///< a sentence that says what to do
};

/// Returns why there is no GPU with this number.
CudaProblem explain_missing_gpu(const CudaState& state, int index);

}  // namespace tfm
