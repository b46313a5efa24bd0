#include "tfm/core/out_of_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "tfm/core/error.h"

namespace tfm {
namespace {

TEST(OutOfMemory, RecognisesTheMessageOfOneDnn) {
  EXPECT_TRUE(is_out_of_memory(std::runtime_error("could not create a primitive")));
  EXPECT_FALSE(is_out_of_memory(
      std::runtime_error("could not create a primitive descriptor for a matmul primitive")));
}

TEST(HalveUntilMemorySuffices, NamesWhatHelpsIfASingleSentenceDoesNotFit) {
  try {
    halve_until_memory_suffices(4, [](std::size_t, std::size_t) { throw std::bad_alloc(); });
    FAIL() << "no error";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.problem(), "out of memory, even for one sentence at a time");
    EXPECT_THAT(std::string(error.hint()), testing::HasSubstr("(decoding.beam_size)"));
    EXPECT_EQ(error.exit_code(), 1);
  }
}

}  // namespace
}  // namespace tfm
