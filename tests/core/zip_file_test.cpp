#include "tfm/core/zip_file.h"

#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "file_size_limit.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::HasSubstr;

/// Returns the contents of a zip file by name.
std::map<std::string, std::string> read_zip(const std::filesystem::path& file) {
  std::map<std::string, std::string> contents;
  archive* const reader = archive_read_new();
  archive_read_support_format_zip_seekable(reader);
  constexpr std::size_t block = 10240;
  EXPECT_EQ(archive_read_open_filename(reader, file.c_str(), block), ARCHIVE_OK);
  archive_entry* entry = nullptr;
  while (archive_read_next_header(reader, &entry) == ARCHIVE_OK) {
    std::string content(static_cast<std::size_t>(archive_entry_size(entry)), '\0');
    EXPECT_EQ(archive_read_data(reader, content.data(), content.size()),
              static_cast<la_ssize_t>(content.size()));
    contents[archive_entry_pathname(entry)] = content;
  }
  archive_read_free(reader);
  return contents;
}

TEST(ZipFile, WritesEntriesAndFolders) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path("files/deeper"));
  folder.write("files/a.txt", std::string(100000, 'a'));
  folder.write("files/deeper/b.bin", std::string("\0\xff", 2));
  ZipFile zip(folder.path("all.zip"));
  zip.add("top/ü.json", "{}");
  zip.add_folder("top/model", folder.path("files"));
  EXPECT_FALSE(std::filesystem::exists(folder.path("all.zip"))) << "before commit()";
  zip.commit();
  const std::map<std::string, std::string> expected{
      {"top/ü.json", "{}"},
      {"top/model/a.txt", std::string(100000, 'a')},
      {"top/model/deeper/b.bin", std::string("\0\xff", 2)}};
  EXPECT_EQ(read_zip(folder.path("all.zip")), expected);
  EXPECT_LT(std::filesystem::file_size(folder.path("all.zip")), 2000U) << "is deflated";
}

TEST(ZipFile, LeavesNothingWhenItIsNotCommitted) {
  const TemporaryFolder folder;
  {
    ZipFile(folder.path("all.zip")).add("a", "content");
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ZipFile, ThrowsAndLeavesNothingWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  std::string random(100000, '\0');
  for (std::size_t i = 0; i < random.size(); ++i)
    random[i] = static_cast<char>((i * i * 2654435761U) >> 13U);
  const auto write = [&] {
    ZipFile zip(folder.path("all.zip"));
    zip.add("a", random);
    zip.commit();
  };
  {
    const FileSizeLimit limit(1000);
    EXPECT_THAT(message_of<ModelError>(write), HasSubstr("could not be written completely"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  write();
  EXPECT_EQ(read_zip(folder.path("all.zip")).at("a"), random);
}

}  // namespace
}  // namespace tfm
