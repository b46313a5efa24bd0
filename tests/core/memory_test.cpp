#include "tfm/core/memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <fstream>
#include <vector>

namespace tfm {
namespace {

constexpr std::size_t block = 64 << 20;

TEST(PeakMemory, GrowsWithTouchedMemory) {
  const double before = peak_memory();
  std::vector<char> touched(block, 1);
  char* volatile in_use = touched.data();  // otherwise, a compiler may leave the vector out
  EXPECT_NE(in_use, nullptr);
  EXPECT_GT(peak_memory(), before + 0.9 * block);
}

TEST(PeakMemory, RestartsAtTheCurrentMemoryAfterAReset) {
  if (!std::ofstream("/proc/self/clear_refs")) GTEST_SKIP() << "this system can't reset the peak";
  // The memory comes from mmap, because the allocator of a sanitizer keeps freed memory.
  void* touched =
      ::mmap(nullptr, block, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(touched, MAP_FAILED);
  std::memset(touched, 1, block);
  const double with_it = peak_memory();
  ::munmap(touched, block);
  reset_peak_memory();
  EXPECT_LT(peak_memory(), with_it - 0.9 * block);
}

TEST(TotalMemory, IsAtLeastWhatIsAvailable) {
  if (!std::ifstream("/proc/meminfo")) GTEST_SKIP() << "this system does not report its memory";
  EXPECT_GE(total_memory(), available_memory());
  EXPECT_LT(total_memory(), 1e15);
}

TEST(AvailableMemory, IsPositiveAndFinite) {
  if (!std::ifstream("/proc/meminfo")) GTEST_SKIP() << "this system does not report its memory";
  EXPECT_GT(available_memory(), block);
  EXPECT_LT(available_memory(), 1e15);
}

}  // namespace
}  // namespace tfm
