#include "tfm/core/output_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::HasSubstr;

TEST(OutputName, MayNotBeThatOfAnInput) {
  const TemporaryFolder folder;
  const auto input = folder.write("a.txt", "text");
  std::filesystem::create_symlink(input, folder.path("link"));
  for (const auto& output : {input, folder.path("link")}) {
    EXPECT_THAT(message_of<ConfigError>([&] { check_output_name(output, {"", input}); }),
                HasSubstr("is read and would be replaced"));
  }
  EXPECT_NO_THROW(check_output_name(folder.path("b.txt"), {input}));
}

TEST(OutputName, MayNotBeThatOfCompressedText) {
  for (const char* name : {"a.en.gz", "a.zst", "a.xz"}) {
    EXPECT_THAT(message_of<ConfigError>([&] { check_output_name(name, {}); }),
                HasSubstr("a name for compressed text"));
  }
}

TEST(OutputName, MayBeThatOfADeviceOrStandardOutput) {
  for (const char* name : {"", "-", "/dev/null"}) {
    EXPECT_NO_THROW(check_output_name(name, {"/dev/null", ""}));
  }
}

}  // namespace
}  // namespace tfm
