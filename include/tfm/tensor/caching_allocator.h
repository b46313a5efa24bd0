// Memory for LibTorch's CPU tensors that is kept when freed and given to the next tensor of about
// that size: each update needs what the one before needed, and fresh pages, like searching a heap,
// cost time. Sizes are rounded up to eighths of powers of two; a block up to twice as large as
// asked for is taken where none fits better. All blocks together are at most a quarter more than
// were in use at a time: beyond that the one that was free for the longest goes back to the system.
#pragma once

#include <c10/core/Allocator.h>

#include <array>
#include <cstddef>
#include <mutex>
#include <vector>

namespace tfm {

class CachingAllocator final : public c10::Allocator {
 public:
  struct Counts {
    std::size_t in_use = 0;       ///< bytes, as rounded up
    std::size_t kept = 0;         ///< bytes, free
    std::size_t most_in_use = 0;  ///< since release_cached()
    std::size_t taken = 0;        ///< times that the system was asked for memory
  };

  /// The process's one. It lives until the process ends.
  static CachingAllocator& instance();
  /// From now on LibTorch's CPU tensors live here.
  void install();
  Counts counts() const;
  /// What is kept, to the system: a phase begins that needs other sizes.
  void release_cached();

  c10::DataPtr allocate(std::size_t bytes) override;
  c10::DeleterFnPtr raw_deleter() const override;
  void copy_data(void* to, const void* from, std::size_t bytes) const override;

 private:
  struct Block;
  static constexpr std::size_t steps = 8;  // sizes per doubling
  static constexpr std::size_t size_count = 48 * steps;

  CachingAllocator() = default;
  static std::size_t size_index(std::size_t bytes);
  static std::size_t size_at(std::size_t index);
  static void free(void* data);
  Block* reuse(std::size_t index);
  Block* take(std::size_t index);
  void give_back_longest_free();

  mutable std::mutex mutex_;
  std::array<std::vector<Block*>, size_count> free_;
  std::size_t freed_ = 0;  // blocks, so far
  Counts counts_;
};

}  // namespace tfm
