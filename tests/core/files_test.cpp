#include "tfm/core/files.h"

#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

TEST(AtomicFile, IsNotThereUntilItIsWhole) {
  TemporaryFolder folder;
  folder.write("a", "old");
  {
    AtomicFile file(folder.path("a"));
    file.write("new", 3);
    EXPECT_EQ(folder.read("a"), "old");
  }  // not committed
  EXPECT_EQ(folder.read("a"), "old");
  write_file(folder.path("a"), "new");
  EXPECT_EQ(folder.read("a"), "new");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);  // no temporary file is left
}

TEST(AtomicFile, NamesTheFileThatCantBeWritten) {
  TemporaryFolder folder;
  const auto message = message_of<ModelError>([&] { write_file(folder.path("none") / "a", ""); });
  EXPECT_NE(message.find("none/a"), std::string::npos);
}

TEST(AtomicFile, RefusesAFolderBeforeAnythingIsWritten) {
  TemporaryFolder folder;
  EXPECT_THROW(AtomicFile(folder.path()), ModelError);
}

TEST(AtomicFile, FollowsLinksAndLeavesDevicesInPlace) {
  TemporaryFolder folder;
  folder.write("real", "old");
  std::filesystem::create_symlink("real", folder.path("link"));
  write_file(folder.path("link"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link")));
  EXPECT_EQ(folder.read("real"), "new");
  write_file("/dev/null", "gone");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_THROW(write_file("/dev/full", "too much"), ModelError);
}

TEST(ReadFile, ReadsEveryByteAndRefusesFolders) {
  TemporaryFolder folder;
  const std::string bytes{'a', '\0', '\xFF', '\n'};
  write_file(folder.path("a"), bytes);
  EXPECT_EQ(read_file(folder.path("a")), bytes);
  EXPECT_THROW(read_file(folder.path()), ModelError);
  EXPECT_THROW(read_file(folder.path("b")), ModelError);
}

}  // namespace
}  // namespace tfm
