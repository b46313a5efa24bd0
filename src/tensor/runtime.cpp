#include "tfm/tensor/runtime.h"

#include <torch/cuda.h>
#include <torch/utils.h>
#include <torch/version.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <thread>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "tfm/core/error.h"
#include "tfm/tensor/caching_allocator.h"

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
    throw ConfigError("--device", "'" + std::string(name) + "' is no device",
                      "Use auto, cpu, cuda or cuda:N.");
  const int index = name == "cuda" ? 0 : std::stoi(std::string(name.substr(5)));
  const auto count = gpu_count();
  if (index >= count) {
    throw ModelError(
        "--device",
        std::string(name) + " is not there: LibTorch sees " + std::to_string(count) +
            " CUDA devices",
        "Use --device auto or cpu, or check the driver and that LibTorch is a CUDA build.");
  }
  return torch::Device(torch::kCUDA, static_cast<c10::DeviceIndex>(index));
}

int gpu_count() {
  return static_cast<int>(torch::cuda::device_count());
}  // NOLINT(bugprone-signed-char-misuse): a count, no character

void set_threads(int64_t threads) {
  torch::set_num_threads(threads > 0
                             ? static_cast<int>(threads)
                             : static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
}

ThreadCountGuard::ThreadCountGuard(int count) : before_(torch::get_num_threads()) {
  torch::set_num_threads(count);
}
ThreadCountGuard::~ThreadCountGuard() { torch::set_num_threads(before_); }

void configure_allocator(Workload use) {
  setenv("ONEDNN_PRIMITIVE_CACHE_CAPACITY", use == Workload::training ? "128" : "512",
         /*overwrite=*/0);
  if (use == Workload::translation) {
#if defined(__GLIBC__)
    // Else each of a step's larger tensors is mapped anew and the heap's end given back at each
    // step: a fifth of the time, for pages to be cleared.
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
    return;
  }
#if !defined(__SANITIZE_ADDRESS__)  // it could not see a tensor used after its end
  CachingAllocator::instance().install();
#endif
}

void release_cached_memory() {
  CachingAllocator::instance().release_cached();
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

void seed_everything(uint64_t seed) { torch::manual_seed(seed); }

std::string libtorch_version() { return TORCH_VERSION; }

std::string describe_runtime(torch::Device device) {
  const auto where = device.is_cuda()
                         ? "CUDA " + std::to_string(static_cast<unsigned char>(device.index()))
                         : std::string("CPU");
  return "LibTorch " + libtorch_version() + ", " + where + ", " +
         std::to_string(torch::get_num_threads()) + " threads";
}

}  // namespace tfm
