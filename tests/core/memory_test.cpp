#include "tfm/core/memory.h"

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <vector>

namespace tfm {
namespace {

constexpr std::size_t block = 64 << 20;

TEST(Memory, PeakGrowsWithWhatIsTouched) {
  const double before = peak_memory();
  const std::vector<char> touched(block, 1);
  EXPECT_GT(peak_memory(), before + 0.9 * block);
}

TEST(Memory, PeakBeginsAnewAfterAReset) {
  if (!std::ofstream("/proc/self/clear_refs")) GTEST_SKIP() << "this system can't";
  auto touched = std::make_unique<std::vector<char>>(block, 1);
  const double with_it = peak_memory();
  touched.reset();  // so large a block goes back to the system
  reset_peak_memory();
  EXPECT_LT(peak_memory(), with_it - 0.9 * block);
}

TEST(Memory, AvailableIsLessThanTheMachineHas) {
  if (!std::ifstream("/proc/meminfo")) GTEST_SKIP() << "this system does not say";
  EXPECT_GT(available_memory(), block);
  EXPECT_LT(available_memory(), 1e15);
}

}  // namespace
}  // namespace tfm
