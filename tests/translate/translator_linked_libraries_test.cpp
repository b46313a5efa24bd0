// Tests that SentencePiece and LibTorch do not share a flag in one process: both define
// FLAGS_minloglevel, with different types. If the dynamic linker merges the two, an error that
// LibTorch should throw ends the program.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

namespace tfm {
namespace {

TEST(LinkedLibraries, SentencePieceDoesNotOverwriteTheLogLevelFlagOfLibTorch) {
  void* flag = ::dlsym(RTLD_DEFAULT, "FLAGS_minloglevel");
  if (flag == nullptr) GTEST_SKIP() << "this LibTorch has no such flag";
  Dl_info library{};
  ASSERT_NE(::dladdr(flag, &library), 0);
  EXPECT_THAT(library.dli_fname, testing::HasSubstr("libc10"));
  constexpr int fatal = 3;  // LibTorch's highest level
  EXPECT_GE(*static_cast<const int*>(flag), 0);
  EXPECT_LE(*static_cast<const int*>(flag), fatal) << "another library has overwritten it";
}

TEST(LinkedLibraries, FailedTensorAllocationThrowsInsteadOfEndingTheProgram) {
  constexpr std::int64_t bytes = std::int64_t{1} << 60;
  EXPECT_THROW(torch::empty({bytes}, torch::kUInt8), c10::Error);
}

}  // namespace
}  // namespace tfm
