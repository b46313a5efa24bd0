#include "tfm/core/same_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

#include "temporary_folder.h"

namespace tfm {
namespace {

TEST(SameFile, ComparesFilesThatDoNotExist) {
  const TemporaryFolder folder;
  const auto file = folder.path("a.txt");
  EXPECT_TRUE(is_same_file(file, folder.path("./b/../a.txt")));
  EXPECT_TRUE(is_same_file("a.txt", std::filesystem::current_path() / "a.txt"));
  EXPECT_FALSE(is_same_file(file, folder.path("b.txt")));
}

TEST(SameFile, FollowsLinks) {
  const TemporaryFolder folder;
  const auto file = folder.write("a.txt", "text");
  std::filesystem::create_hard_link(file, folder.path("hard"));
  std::filesystem::create_symlink(file, folder.path("soft"));
  EXPECT_TRUE(is_same_file(file, folder.path("hard")));
  EXPECT_TRUE(is_same_file(folder.path("soft"), file));
}

/// The shell passes <(command) as /dev/fd/N, a link to "pipe:[M]".
TEST(SameFile, ComparesPipes) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const auto pipe = std::filesystem::path("/dev/fd") / std::to_string(ends[0]);
  EXPECT_FALSE(is_same_file(pipe, "a.txt"));
  EXPECT_FALSE(is_same_file("a.txt", pipe));
  for (const int end : ends) ::close(end);
}

}  // namespace
}  // namespace tfm
