#include "tfm/core/atomic_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "file_size_limit.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

TEST(AtomicFile, KeepsTheOldFileUntilCommit) {
  TemporaryFolder folder;
  folder.write("a", "old");
  {
    AtomicFile file(folder.path("a"));
    file.write("new", 3);
    EXPECT_EQ(folder.read("a"), "old");
  }  // destroyed without commit()
  EXPECT_EQ(folder.read("a"), "old");
  write_file(folder.path("a"), "new");
  EXPECT_EQ(folder.read("a"), "new");
  // no temporary file is left
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(AtomicFile, ThrowsWithTheFileNameIfTheFileCannotBeWritten) {
  TemporaryFolder folder;
  const auto message = message_of<ModelError>([&] { write_file(folder.path("none") / "a", ""); });
  EXPECT_NE(message.find("none/a"), std::string::npos);
}

TEST(AtomicFile, NamesTheMissingFolder) {
  TemporaryFolder folder;
  const auto missing = folder.path("none").string();
  const auto message = message_of<ModelError>([&] { write_file(folder.path("none") / "a", ""); });
  EXPECT_EQ(message, missing + "/a: can't be written: the folder " + missing +
                         " does not exist\n  Create it with mkdir -p, or name a file in another "
                         "folder.");
}

TEST(AtomicFile, ThrowsIfThePathIsAFolder) {
  TemporaryFolder folder;
  EXPECT_THROW(AtomicFile(folder.path()), ModelError);
}

TEST(AtomicFile, FollowsLinksAndWritesDirectlyToDevices) {
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

TEST(AtomicFile, KeepsThePermissionsOfTheReplacedFile) {
  using std::filesystem::perms;
  const TemporaryFolder folder;
  const auto file = folder.write("a", "old");
  std::filesystem::permissions(file, perms::owner_read | perms::owner_write);
  write_file(file, "new");
  EXPECT_EQ(std::filesystem::status(file).permissions(), perms::owner_read | perms::owner_write);
}

TEST(AtomicFile, KeepsTheOldFileIfTheDiskIsFull) {
  TemporaryFolder folder;
  folder.write("a", "old");
  {
    const FileSizeLimit limit(1000);
    EXPECT_THROW(write_file(folder.path("a"), std::string(2000, 'x')), ModelError);
  }
  EXPECT_EQ(folder.read("a"), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(RemoveStaleTemporaries, RemovesTheFilesAndFoldersOfKilledProcesses) {
  TemporaryFolder folder;
  folder.write("model.safetensors", "whole");
  const auto file = temporary_name(folder.path("model.safetensors"));
  write_file(file, "half");
  const auto inner = temporary_name(folder.path("preflight"));
  make_folder(inner / "checkpoints");
  remove_stale_temporaries(folder.path());
  EXPECT_TRUE(std::filesystem::exists(folder.path("model.safetensors")));
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_FALSE(std::filesystem::exists(inner));
  EXPECT_NO_THROW(remove_stale_temporaries(folder.path("none")));
}

TEST(RemoveStaleTemporaries, KeepsFoldersWithoutATemporaryName) {
  TemporaryFolder folder;
  const std::vector<std::string> names = {"a.tmp-x",
                                          "a.tmp-4711",
                                          ".a.tfm-tmp-",
                                          ".a.tfm-tmp-1",
                                          "a.tfm-tmp-0123456789abcdef",
                                          "..tfm-tmp-0123456789abcde",
                                          ".a.tfm-tmp-0123456789abcdeg",
                                          ".a.tfm-tmp-0123456789abcdef.txt"};
  for (const auto& name : names) make_folder(folder.path(name));
  remove_stale_temporaries(folder.path());
  for (const auto& name : names) EXPECT_TRUE(std::filesystem::exists(folder.path(name))) << name;
}

TEST(ScratchFolder, DoesNotReplaceAnExistingFolder) {
  TemporaryFolder folder;
  make_folder(folder.path("preflight"));
  std::filesystem::path scratch;
  {
    const ScratchFolder created(folder.path("preflight"));
    scratch = created.path();
    EXPECT_TRUE(std::filesystem::is_directory(scratch));
  }
  EXPECT_FALSE(std::filesystem::exists(scratch));
  EXPECT_TRUE(std::filesystem::is_directory(folder.path("preflight")));
}

TEST(TryToReserve, ThrowsIfAFileWouldNotFitAndLeavesNoFiles) {
  const TemporaryFolder folder;
  const auto made = folder.path("run/checkpoints");
  const std::vector<std::int64_t> sizes{500, 2000};
  {
    const FileSizeLimit limit(1000);
    EXPECT_THAT(message_of<ModelError>([&] { try_to_reserve(made, sizes); }),
                testing::HasSubstr("checkpoints: has no space for a file of 2000 bytes"));
  }
  EXPECT_NO_THROW(try_to_reserve(made, sizes));
  EXPECT_TRUE(std::filesystem::is_empty(made));
}

TEST(TryToReserve, ThrowsIfTheFolderCantBeCreated) {
  const TemporaryFolder folder;
  const auto file = folder.write("checkpoints", "");
  EXPECT_THAT(message_of<ModelError>([&] { try_to_reserve(file, {}); }),
              testing::HasSubstr("checkpoints"));
}

TEST(ReplaceFolder, ReplacesAnExistingFolder) {
  TemporaryFolder folder;
  std::filesystem::create_directories(folder.path("old"));
  folder.write("old/a", "old");
  std::filesystem::create_directories(folder.path("new"));
  folder.write("new/b", "new");
  replace_folder(folder.path("new"), folder.path("old"));
  EXPECT_EQ(folder.read("old/b"), "new");
  EXPECT_FALSE(std::filesystem::exists(folder.path("old/a")));
  EXPECT_FALSE(std::filesystem::exists(folder.path("new")));
  EXPECT_THROW(replace_folder(folder.path("new"), folder.path("old")), ModelError);
}

/// The process was killed between the two renames that replace folder a, and after the two renames
/// that replace folder b.
TEST(RecoverReplacedFolder, RestoresTheReplacedFolderUnlessTheNewFolderHasItsName) {
  TemporaryFolder folder;
  for (const auto* name : {".a.tfm-replaced", ".b.tfm-replaced", "b"}) {
    std::filesystem::create_directories(folder.path(name));
    folder.write(std::string(name) + "/of", name);
  }
  recover_replaced_folder(folder.path());
  EXPECT_EQ(folder.read("a/of"), ".a.tfm-replaced");
  EXPECT_EQ(folder.read("b/of"), "b");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2);
  EXPECT_NO_THROW(recover_replaced_folder(folder.path("none")));
}

TEST(ReadFile, ReadsEveryByteAndThrowsForFoldersAndMissingFiles) {
  TemporaryFolder folder;
  const std::string bytes{'a', '\0', '\xFF', '\n'};
  write_file(folder.path("a"), bytes);
  EXPECT_EQ(read_file(folder.path("a")), bytes);
  EXPECT_THROW(read_file(folder.path()), ModelError);
  EXPECT_THROW(read_file(folder.path("b")), ModelError);
}

}  // namespace
}  // namespace tfm
