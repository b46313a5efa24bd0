#include "tfm/tensor/cuda_state.h"

#include <ATen/detail/CUDAHooksInterface.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

#include "tfm/core/format.h"
#include "tfm/tensor/runtime.h"

namespace tfm {
namespace {

constexpr const char* driver_library = "libcuda.so.1";
constexpr int no_device = 100;  // CUDA's number of the error

/// Calls the driver without CUDA's headers. A result of 0 means success, as in its API.
void ask_driver(CudaState& state) {
  void* driver = dlopen(driver_library, RTLD_NOW | RTLD_LOCAL);
  if (driver == nullptr) {
    const std::string error = dlerror();
    // A missing library is the normal case, and needs no more explanation.
    if (error.find("No such file") == error.npos) state.driver_error = error;
    return;
  }
  const auto get_version = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDriverGetVersion"));
  const auto initialize = reinterpret_cast<int (*)(unsigned)>(dlsym(driver, "cuInit"));
  const auto get_name =
      reinterpret_cast<int (*)(int, const char**)>(dlsym(driver, "cuGetErrorName"));
  if (get_version != nullptr) get_version(&state.driver_version);
  if (initialize == nullptr || get_name == nullptr) {
    state.driver_error = fmt::format("{} is not a driver", driver_library);
  } else if (const int error = initialize(0); error != 0 && error != no_device) {
    const char* name = nullptr;
    get_name(error, &name);
    state.driver_error = name != nullptr ? name : fmt::format("error {}", error);
  }
  // The library stays loaded, because LibTorch may use it, too.
}

std::string format_version(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace

CudaState find_cuda_state() {
  CudaState state;
  const auto& hooks = at::detail::getCUDAHooks();
  if (!hooks.hasCUDART()) return state;
  state.built_version = static_cast<int>(hooks.versionCUDART());
  state.gpus = gpu_count();
  if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES")) state.visible_devices = visible;
  if (state.gpus == 0) ask_driver(state);
  return state;
}

int find_compute_capability(int index) {
  // The test device is a driver inside the process.
  const bool loaded = dlsym(RTLD_DEFAULT, "cuDeviceGetAttribute") != nullptr;
  void* driver = loaded ? RTLD_DEFAULT : dlopen(driver_library, RTLD_NOW | RTLD_LOCAL);
  if (!loaded && driver == nullptr) return 0;
  const auto initialize = reinterpret_cast<int (*)(unsigned)>(dlsym(driver, "cuInit"));
  const auto get_device = reinterpret_cast<int (*)(int*, int)>(dlsym(driver, "cuDeviceGet"));
  const auto get_attribute =
      reinterpret_cast<int (*)(int*, int, int)>(dlsym(driver, "cuDeviceGetAttribute"));
  if (initialize == nullptr || get_device == nullptr || get_attribute == nullptr) return 0;
  constexpr int major_number = 75;  // of CUdevice_attribute
  constexpr int minor_number = 76;
  int device = 0;
  int major = 0;
  int minor = 0;
  const bool success = initialize(0) == 0 && get_device(&device, index) == 0 &&
                       get_attribute(&major, major_number, device) == 0 &&
                       get_attribute(&minor, minor_number, device) == 0;
  return success ? 10 * major + minor : 0;
}

std::string describe_cuda(const CudaState& state) {
  if (state.built_version == 0) return "built for the CPU";
  return fmt::format("built with CUDA {}; {}", format_version(state.built_version),
                     state.gpus > 0
                         ? with_noun(state.gpus, "GPU")
                         : "no GPU visible (" + explain_missing_gpu(state, 0).cause + ")");
}

CudaProblem explain_missing_gpu(const CudaState& state, int index) {
  if (state.built_version == 0) {
    return {"LibTorch was built for the CPU",
            "Build tfm with a CUDA build of LibTorch (docs/scaling.md), or use --device cpu."};
  }
  if (state.gpus > 0) {
    return {fmt::format("number {} was asked for, and there {}", index,
                        state.gpus == 1 ? "is 1 GPU, number 0"
                                        : fmt::format("are {} GPUs, numbers 0 to {}", state.gpus,
                                                      state.gpus - 1)),
            "Use one of them, or start one process per GPU."};
  }
  // Versions of one major number work together.
  if (state.driver_version != 0 && state.driver_version / 1000 < state.built_version / 1000) {
    return {fmt::format("the NVIDIA driver supports CUDA {}, and LibTorch needs {}",
                        format_version(state.driver_version), format_version(state.built_version)),
            "Update the driver, or build tfm with a LibTorch for the driver's version of CUDA."};
  }
  if (state.driver_version == 0 && state.driver_error.empty()) {
    return {"no NVIDIA driver is installed",
            "Install the driver, start the container with its GPUs (docker run --gpus all), or use "
            "--device cpu."};
  }
  if (state.visible_devices && state.driver_error.empty()) {
    return {fmt::format("CUDA_VISIBLE_DEVICES is '{}'", *state.visible_devices),
            "Set CUDA_VISIBLE_DEVICES to the numbers of the GPUs to use, or unset it."};
  }
  if (state.driver_error.empty()) {
    return {"the NVIDIA driver finds no GPU",
            "Check that nvidia-smi lists a GPU, and that the job or container was given one."};
  }
  return {fmt::format("the NVIDIA driver reports {}", state.driver_error),
          "Check that nvidia-smi works; after an update of the driver, restart the machine."};
}

}  // namespace tfm
