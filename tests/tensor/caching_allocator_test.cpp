#include "tfm/tensor/caching_allocator.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include <cstring>

namespace tfm {
namespace {

TEST(CachingAllocator, ReusesAFreedBlockForTheNextTensorOfAboutTheSameSize) {
  auto& allocator = CachingAllocator::instance();
  void* first = allocator.allocate(100'000).get();
  const auto requests = allocator.stats().system_allocations;
  EXPECT_EQ(allocator.allocate(99'000).get(), first);
  EXPECT_EQ(allocator.allocate(60'000).get(), first)
      << "a block of less than twice the size is reused";
  EXPECT_EQ(allocator.stats().system_allocations, requests);
  EXPECT_NE(allocator.allocate(30'000).get(), first);
}

TEST(CachingAllocator, AllocatesAlignedBlocksThatDoNotOverlap) {
  auto& allocator = CachingAllocator::instance();
  std::vector<std::pair<c10::DataPtr, std::size_t>> blocks;
  for (std::size_t bytes = 1; bytes < (1U << 23); bytes += bytes / 3 + 1) {
    blocks.emplace_back(allocator.allocate(bytes), bytes);
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(blocks.back().first.get()) % 64, 0U);
    std::memset(blocks.back().first.get(), static_cast<int>(blocks.size()), bytes);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto* data = static_cast<const unsigned char*>(blocks[i].first.get());
    ASSERT_EQ(data[0], static_cast<unsigned char>(i + 1));
    ASSERT_EQ(data[blocks[i].second - 1], static_cast<unsigned char>(i + 1))
        << "blocks must not overlap";
  }
}

TEST(CachingAllocator, ExceedsThePeakInUseByAtMostAQuarter) {
  auto& allocator = CachingAllocator::instance();
  for (std::size_t bytes = 1U << 20; bytes < (1U << 26); bytes += 3U << 20)
    allocator.allocate(bytes);
  const auto stats = allocator.stats();
  EXPECT_LE(stats.allocated_bytes + stats.cached_bytes,
            stats.peak_allocated_bytes + stats.peak_allocated_bytes / 4);
}

TEST(CachingAllocator, ReleasesBlocksInTheOrderInWhichTheyWereFreed) {
  auto& allocator = CachingAllocator::instance();
  allocator.release_cached();
  const auto allocate = [&](std::size_t mib) { return allocator.allocate((mib << 20) - 64); };
  const auto used = allocate(32);
  allocate(32);
  const void* second = allocate(3).get();
  const void* third = allocate(8).get();
  EXPECT_EQ(allocator.stats().cached_bytes, std::size_t{43} << 20);
  // 32 + 43 + 14 MiB exceed the peak of 64 MiB by more than a quarter
  const auto new_size = allocate(14);
  EXPECT_EQ(allocator.stats().cached_bytes, std::size_t{11} << 20);
  EXPECT_EQ(allocate(3).get(), second);
  EXPECT_EQ(allocate(8).get(), third);
}

TEST(CachingAllocator, ReleaseCachedKeepsTheBlocksInUse) {
  auto& allocator = CachingAllocator::instance();
  const auto used = allocator.allocate(1U << 20);
  std::memset(used.get(), 7, 1U << 20);
  allocator.allocate(1U << 22);
  EXPECT_GT(allocator.stats().cached_bytes, 0U);
  const auto in_use = allocator.stats().allocated_bytes;
  allocator.release_cached();
  EXPECT_EQ(allocator.stats().cached_bytes, 0U);
  EXPECT_EQ(allocator.stats().allocated_bytes, in_use);
  EXPECT_EQ(static_cast<const unsigned char*>(used.get())[(1U << 20) - 1], 7);
}

TEST(CachingAllocator, ThrowsWhenMemoryIsExhausted) {
  EXPECT_THROW(CachingAllocator::instance().allocate(std::size_t{1} << 46), c10::OutOfMemoryError);
  EXPECT_THROW(CachingAllocator::instance().allocate(~std::size_t{0} - 4096),
               c10::OutOfMemoryError);
}

TEST(CachingAllocator, AllocatesNothingForAnEmptyTensor) {
  const auto none = CachingAllocator::instance().allocate(0);
  EXPECT_EQ(none.get(), nullptr);
}

TEST(CachingAllocator, AllocatesCpuTensorsAfterInstall) {
  CachingAllocator::instance().install();
  const auto before = CachingAllocator::instance().stats().allocated_bytes;
  const auto tensor = torch::ones({1000});
  EXPECT_GE(CachingAllocator::instance().stats().allocated_bytes, before + 4000);
  EXPECT_EQ(tensor.sum().item<float>(), 1000);
}

}  // namespace
}  // namespace tfm
