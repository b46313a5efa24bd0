// LibTorch's global state, set in one place: devices, threads, memory, random numbers. A plain
// header: devices are named here; device.h has LibTorch's type for them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tfm {

/// Returns "cpu" or "cuda:N" for the name of a device: "auto" (CUDA if there is any, else the CPU),
/// "cpu", "cuda" (the first) or "cuda:N". Throws ConfigError for any other name, and ModelError if
/// the machine does not have the device.
std::string resolve_device(std::string_view name);

/// CUDA devices that LibTorch sees.
int gpu_count();

/// 0: as many as the machine has cores.
void set_threads(std::int64_t threads);
/// Threads that LibTorch uses on this thread.
int thread_count();

/// LibTorch has so many threads, here and on threads that begin meanwhile, for as long as this
/// lives.
class ThreadCountGuard {
 public:
  explicit ThreadCountGuard(int count);
  ~ThreadCountGuard();
  ThreadCountGuard(const ThreadCountGuard&) = delete;
  ThreadCountGuard& operator=(const ThreadCountGuard&) = delete;

 private:
  int before_;
};

enum class Workload { training, translation };

/// Before the first operation. oneDNN keeps the code of its last 1024 products if it is let: each
/// shape has code of its own, and so many of them take a gigabyte. 512 for translation, 128 for
/// training, whose shapes return within an update and hardly ever later;
/// ONEDNN_PRIMITIVE_CACHE_CAPACITY in the environment wins. Training, which needs the same sizes at
/// each update: tensors' memory is recycled (caching_allocator.h). Translation, whose sizes
/// differ from batch to batch: the C library's heap keeps what is freed, which suits any size.
void configure_allocator(Workload use);

/// Gives the system what freed tensors have left on the CPU: between phases that need other sizes,
/// such as training and validation.
void release_cached_memory();

/// Seeds every generator of the device.
void seed_everything(std::uint64_t seed);

/// "2.13.0"
std::string libtorch_version();

/// "LibTorch 2.13.0, CPU, 2 threads" or "LibTorch 2.11.0, CUDA 0, 16 threads". device: as
/// resolve_device returns it.
std::string describe_runtime(const std::string& device);

}  // namespace tfm
