#include "tfm/tensor/exceptions.h"

#include <c10/util/Exception.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "tfm/core/error.h"
#include "tfm/core/out_of_memory.h"

namespace tfm {
namespace {

template <class Exception>
void throw_through(const Exception& exception) {
  try {
    throw exception;
  } catch (...) {
    rethrow_as_tfm_error();
  }
}

template <class Expected, class Exception>
std::string message_after(const Exception& exception) {
  try {
    throw_through(exception);
  } catch (const Expected& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(RethrowAsTfmError, OmitsTheBacktraceOfLibTorchErrors) {
  const c10::Error error({__func__, __FILE__, __LINE__}, "shapes do not fit");
  ASSERT_NE(std::string(error.what()), "shapes do not fit");
  EXPECT_EQ(message_after<ModelError>(error), "unexpected: shapes do not fit");
}

TEST(RethrowAsTfmError, ExplainsWhatToDoWhenGpuMemoryRunsOut) {
  const c10::OutOfMemoryError error({__func__, __FILE__, __LINE__}, "CUDA out of memory");
  EXPECT_EQ(message_after<ModelError>(error), out_of_memory_message);
}

TEST(RethrowAsTfmError, RethrowsOtherExceptionsUnchanged) {
  EXPECT_EQ(message_after<std::out_of_range>(std::out_of_range("beyond")), "beyond");
  EXPECT_EQ(message_after<Interrupted>(Interrupted("stopped")), "stopped");
}

}  // namespace
}  // namespace tfm
