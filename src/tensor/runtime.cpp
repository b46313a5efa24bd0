#include "tfm/tensor/runtime.h"

#include <omp.h>
#include <torch/cuda.h>
#include <torch/utils.h>
#include <torch/version.h>

#include <cstddef>
#include <cstdlib>
#include <limits>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "tfm/core/cpu.h"
#include "tfm/tensor/caching_allocator.h"

// In tcmalloc (malloc_extension_c.h); null if the program does not use it.
extern "C" __attribute__((weak)) void MallocExtension_ReleaseFreeMemory(void);
extern "C" __attribute__((weak)) int MallocExtension_SetNumericProperty(const char* property,
                                                                        std::size_t value);

#pragma weak omp_pause_resource_all  // null in libraries older than OpenMP 5.0

namespace tfm {
namespace {

bool uses_tcmalloc() { return MallocExtension_ReleaseFreeMemory != nullptr; }

/// Lets tcmalloc keep a megabyte of freed memory for each thread, which is enough for the tensors
/// of a decoding step. By default, two threads may keep 32.
void limit_thread_caches() {
  constexpr std::size_t megabyte = std::size_t{1} << 20;
  if (uses_tcmalloc())
    MallocExtension_SetNumericProperty("tcmalloc.max_total_thread_cache_bytes",
                                       megabyte * static_cast<std::size_t>(available_cpus()));
}

}  // namespace

int gpu_count() {
  return static_cast<int>(torch::cuda::device_count());
}  // NOLINT(bugprone-signed-char-misuse): a count, not a character

void set_threads(std::int64_t threads) {
  torch::set_num_threads(threads > 0 ? static_cast<int>(threads) : available_cpus());
}

int thread_count() { return torch::get_num_threads(); }

ThreadCountGuard::ThreadCountGuard(int count) : previous_(torch::get_num_threads()) {
  torch::set_num_threads(count);
}
ThreadCountGuard::~ThreadCountGuard() { torch::set_num_threads(previous_); }

void end_waiting_threads() {
  if (omp_pause_resource_all != nullptr) omp_pause_resource_all(omp_pause_soft);
}

void configure_allocator(Workload use) {
  setenv("ONEDNN_PRIMITIVE_CACHE_CAPACITY", use == Workload::training ? "128" : "512",
         /*overwrite=*/0);
  if (use == Workload::translation) {
#if defined(__GLIBC__)
    // By default, glibc maps new memory for large tensors in each step and returns the end of the
    // heap to the system. Clearing the fresh pages then takes a fifth of the run time. tcmalloc
    // keeps freed memory, and glibc's settings do not concern it.
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
    limit_thread_caches();
    return;
  }
#if !defined(__SANITIZE_ADDRESS__)  // a cache would hide accesses to freed tensors
  CachingAllocator::instance().install();
#endif
}

void release_cached_memory() {
  CachingAllocator::instance().release_cached();
  if (uses_tcmalloc()) return MallocExtension_ReleaseFreeMemory();
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

std::string allocator_name() { return uses_tcmalloc() ? "tcmalloc" : "the C library"; }

void seed_everything(std::uint64_t seed) { torch::manual_seed(seed); }

std::string libtorch_version() { return TORCH_VERSION; }

}  // namespace tfm
