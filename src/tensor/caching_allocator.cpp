#include "tfm/tensor/caching_allocator.h"

#include <c10/core/CPUAllocator.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

namespace tfm {
namespace {

constexpr std::size_t alignment = 64;  // a cache line, and the size of the widest register
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t smallest_power = 9;  // the smallest block has 512 bytes

}  // namespace

/// The header that precedes the data of each tensor in memory.
struct alignas(alignment) CachingAllocator::Block {
  std::size_t index;
  std::size_t freed;  // the value of freed_ when the block was freed
};

CachingAllocator& CachingAllocator::instance() {
  // never destroyed, because tensors may be freed at any time during program exit
  static auto* allocator = new CachingAllocator;
  return *allocator;
}

void CachingAllocator::install() { c10::SetCPUAllocator(this, /*priority=*/100); }

CachingAllocator::Stats CachingAllocator::stats() const {
  const std::lock_guard lock(mutex_);
  return stats_;
}

/// Returns the index of the smallest size that holds `bytes`. The sizes are 2^p * (8 + e) / 8, with
/// e from 0 to 7.
std::size_t CachingAllocator::size_index(std::size_t bytes) {
  bytes = std::max(bytes, std::size_t{1} << smallest_power);
  // bytes is in (2^power, 2^(power + 1)]
  const auto power = static_cast<std::size_t>(std::bit_width(bytes - 1) - 1);
  const std::size_t step = (std::size_t{1} << power) / steps;
  const std::size_t eighths = (bytes - (std::size_t{1} << power) + step - 1) / step;
  return (power + 1 - smallest_power) * steps + eighths - steps;
}

std::size_t CachingAllocator::size_at(std::size_t index) {
  const std::size_t power = index / steps + smallest_power;
  return (std::size_t{1} << power) / steps * (steps + index % steps);
}

c10::DataPtr CachingAllocator::allocate(std::size_t bytes) {
  const c10::Device cpu(c10::DeviceType::CPU);
  if (bytes == 0) return {nullptr, nullptr, &CachingAllocator::free, cpu};
  const std::lock_guard lock(mutex_);
  const std::size_t index = size_index(bytes + sizeof(Block));
  Block* block = index < size_count ? find_cached(index) : nullptr;
  if (block == nullptr && index < size_count) block = allocate_block(index);
  if (block == nullptr)
    throw c10::OutOfMemoryError({__func__, __FILE__, __LINE__},
                                fmt::format("not enough memory: {} bytes were requested", bytes));
  stats_.allocated_bytes += size_at(block->index);
  stats_.peak_allocated_bytes = std::max(stats_.peak_allocated_bytes, stats_.allocated_bytes);
  void* data = block + 1;
  return {data, data, &CachingAllocator::free, cpu};
}

/// Takes the smallest cached block that is at least as large as size number `index` and less than
/// twice as large. Returns nullptr if there is none.
CachingAllocator::Block* CachingAllocator::find_cached(std::size_t index) {
  for (std::size_t i = index; i < std::min(index + steps, size_count); ++i) {
    if (free_[i].empty()) continue;
    Block* block = free_[i].back();
    free_[i].pop_back();
    stats_.cached_bytes -= size_at(i);
    return block;
  }
  return nullptr;
}

/// Returns a new block of size number `index`, or nullptr if the system has no memory left.
/// Releases cached blocks first if all blocks together would exceed the limit
/// (caching_allocator.h), and every cached block if the system has no memory.
CachingAllocator::Block* CachingAllocator::allocate_block(std::size_t index) {
  const std::size_t size = size_at(index);
  const std::size_t most =
      std::max({stats_.peak_allocated_bytes, stats_.allocated_bytes + size, huge_page});
  while (stats_.cached_bytes > 0 &&
         stats_.allocated_bytes + stats_.cached_bytes + size > most + most / 4)
    release_longest_free();
  const bool huge = size >= huge_page;
  const auto allocate = [&] {
    void* memory = nullptr;
    return posix_memalign(&memory, huge ? huge_page : alignment, size) == 0 ? memory : nullptr;
  };
  void* memory = allocate();
  if (memory == nullptr) {
    while (stats_.cached_bytes > 0) release_longest_free();
    memory = allocate();
  }
  if (memory == nullptr) return nullptr;
  // This is only a hint to use huge pages, which the system may ignore.
  if (huge) madvise(memory, size, MADV_HUGEPAGE);
  ++stats_.system_allocations;
  return new (memory) Block{index, 0};
}

void CachingAllocator::release_cached() {
  const std::lock_guard lock(mutex_);
  while (stats_.cached_bytes > 0) release_longest_free();
  stats_.peak_allocated_bytes = stats_.allocated_bytes;
}

/// Returns a block to the system: of all cached blocks, the one that was freed first. At least one
/// block must be cached.
void CachingAllocator::release_longest_free() {
  const auto freed = [](const std::vector<Block*>& blocks) {
    return blocks.empty() ? std::numeric_limits<std::size_t>::max() : blocks[0]->freed;
  };
  auto& blocks = *std::ranges::min_element(free_, {}, freed);
  stats_.cached_bytes -= size_at(blocks[0]->index);
  std::free(blocks[0]);
  blocks.erase(blocks.begin());
}

void CachingAllocator::free(void* data) {
  if (data == nullptr) return;
  auto& self = instance();
  auto* block = static_cast<Block*>(data) - 1;
  const std::lock_guard lock(self.mutex_);
  const std::size_t size = size_at(block->index);
  block->freed = ++self.freed_;
  self.free_[block->index].push_back(block);
  self.stats_.allocated_bytes -= size;
  self.stats_.cached_bytes += size;
}

c10::DeleterFnPtr CachingAllocator::raw_deleter() const { return &CachingAllocator::free; }

void CachingAllocator::copy_data(void* to, const void* from, std::size_t bytes) const {
  std::memcpy(to, from, bytes);
}

}  // namespace tfm
