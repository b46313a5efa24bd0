#include "tfm/core/out_of_memory.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace tfm {
namespace {

TEST(OutOfMemory, RecognisesTheMessageOfOneDnn) {
  EXPECT_TRUE(is_out_of_memory(std::runtime_error("could not create a primitive")));
  EXPECT_FALSE(is_out_of_memory(
      std::runtime_error("could not create a primitive descriptor for a matmul primitive")));
}

}  // namespace
}  // namespace tfm
