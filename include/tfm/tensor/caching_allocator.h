// An allocator for LibTorch's CPU tensors that caches freed blocks for the next tensor of about the
// same size. Each training update needs the same sizes as the previous one. Without a cache, the
// system would have to provide fresh pages, or the C library would have to search the heap.
// Sizes are rounded up to one of eight sizes per power of two. If no block of the right size is
// cached, a cached block of less than twice the size is used. All blocks together exceed the peak
// in use by at most a quarter (a peak below 2 MiB counts as 2 MiB). To stay below this limit, the
// allocator returns blocks to the system, in the order in which they were freed.
#pragma once

#include <c10/core/Allocator.h>

#include <array>
#include <cstddef>
#include <mutex>
#include <vector>

namespace tfm {

class CachingAllocator final : public c10::Allocator {
 public:
  struct Stats {
    std::size_t allocated_bytes = 0;       ///< bytes in use, after rounding up
    std::size_t cached_bytes = 0;          ///< bytes in cached free blocks
    std::size_t peak_allocated_bytes = 0;  ///< peak of allocated_bytes since release_cached()
    std::size_t system_allocations = 0;    ///< number of blocks from the system so far
  };

  /// Returns the allocator of the process, which is never destroyed.
  static CachingAllocator& instance();
  /// Makes this the allocator of all CPU tensors that are created from now on.
  void install();
  Stats stats() const;
  /// Returns all cached blocks to the system and resets the peak. Call it before a phase that needs
  /// different sizes.
  void release_cached();

  c10::DataPtr allocate(std::size_t bytes) override;
  c10::DeleterFnPtr raw_deleter() const override;
  void copy_data(void* to, const void* from, std::size_t bytes) const override;

 private:
  struct Block;
  static constexpr std::size_t steps = 8;  // number of sizes per power of two
  static constexpr std::size_t size_count = 48 * steps;

  CachingAllocator() = default;
  static std::size_t size_index(std::size_t bytes);
  static std::size_t size_at(std::size_t index);
  static void free(void* data);
  Block* find_cached(std::size_t index);
  Block* allocate_block(std::size_t index);
  void release_longest_free();

  mutable std::mutex mutex_;
  std::array<std::vector<Block*>, size_count> free_;
  std::size_t freed_ = 0;  // number of blocks freed so far
  Stats stats_;
};

}  // namespace tfm
