// LibTorch's global state, set in one place: devices, threads, memory, random numbers. This header
// does not include LibTorch, so devices are strings here; device.h uses LibTorch's type.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tfm {

/// Returns "cpu" or "cuda:N" for the name of a device: "auto" (CUDA if available, otherwise the
/// CPU), "cpu", "cuda" (the first) or "cuda:N". Throws ConfigError for any other name, and
/// ModelError if the machine does not have the device.
std::string resolve_device(std::string_view name);

/// Returns the number of CUDA devices that LibTorch finds.
int gpu_count();

/// Sets the number of LibTorch's threads; 0 means available_cpus() (core/cpu.h).
void set_threads(std::int64_t threads);
/// Returns the number of threads that LibTorch uses for operations of the calling thread.
int thread_count();

/// Changes the number of LibTorch's threads until destruction, on this thread and on threads that
/// start before destruction.
class ThreadCountGuard {
 public:
  explicit ThreadCountGuard(int count);
  ~ThreadCountGuard();
  ThreadCountGuard(const ThreadCountGuard&) = delete;
  ThreadCountGuard& operator=(const ThreadCountGuard&) = delete;

 private:
  int previous_;
};

/// Ends the OpenMP threads that wait for the next parallel loop of the calling thread, which starts
/// new ones. Waiting threads spin for milliseconds, on CPUs that other threads may need. Does
/// nothing within a parallel loop, or if the OpenMP library is older than OpenMP 5.0.
void end_waiting_threads();

enum class Workload { training, translation };

/// Configures memory for a workload. Call it before the first tensor is created.
/// Each training update needs tensors of the same sizes, so their memory is cached
/// (caching_allocator.h). In translation, the sizes differ between batches. Freed memory therefore
/// stays in the heap of malloc, which can reuse it for tensors of any size.
/// Also limits oneDNN's cache of compiled kernels, which has one entry per shape. With the default
/// limit of 1024 entries, the cache takes a gigabyte. The limit is 512 for translation. It is 128
/// for training, whose shapes recur within an update but rarely after it. A value of
/// ONEDNN_PRIMITIVE_CACHE_CAPACITY in the environment takes precedence.
void configure_allocator(Workload use);

/// Returns the memory of freed CPU tensors to the system. Call it between phases that need
/// different sizes, such as training and validation.
void release_cached_memory();

/// Returns the name of what malloc belongs to: "tcmalloc" or "the C library".
std::string allocator_name();

/// Seeds the global generators of all devices.
void seed_everything(std::uint64_t seed);

/// Returns LibTorch's version, such as "2.13.0".
std::string libtorch_version();

/// Returns a description such as "LibTorch 2.13.0, CPU, 2 threads" or "LibTorch 2.11.0, CUDA 0, 16
/// threads". `device` is a name that resolve_device returned.
std::string describe_runtime(const std::string& device);

}  // namespace tfm
