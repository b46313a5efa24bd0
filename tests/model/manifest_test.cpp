#include "tfm/model/manifest.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

/// A folder with two files and their manifest.
class Manifest : public testing::Test {
 protected:
  Manifest() {
    folder.write("weights", "0123456789");
    folder.write("config", "heads: 2");
    write_manifest(folder.path(), {"weights", "config"});
  }

  std::string problem() const {
    return message_of<ModelError>([&] { verify_manifest(folder.path()); });
  }
  void expect_problem(const std::string& file, const std::string& what) const {
    EXPECT_NE(problem().find(folder.path(file).string() + ": " + what), std::string::npos)
        << problem();
  }

  TemporaryFolder folder;
};

TEST_F(Manifest, AcceptsUnchangedFiles) { EXPECT_NO_THROW(verify_manifest(folder.path())); }

TEST_F(Manifest, HasTheDocumentedFormat) {
  EXPECT_EQ(folder.read(manifest_file), R"({
  "format": "tfm manifest",
  "version": 1,
  "files": {
    "weights": {
      "bytes": 10,
      "crc32": "a684c7c6"
    },
    "config": {
      "bytes": 8,
      "crc32": "1d9d1041"
    }
  }
}
)");
}

TEST_F(Manifest, IgnoresFilesThatAreNotListed) {
  folder.write("notes", "mine");
  EXPECT_NO_THROW(verify_manifest(folder.path()));
}

TEST_F(Manifest, ThrowsWhenAFileIsMissing) {
  std::filesystem::remove(folder.path("config"));
  expect_problem("config", "is missing");
}

TEST_F(Manifest, ThrowsWhenAFileHasAnotherSize) {
  folder.write("weights", "012345678");
  expect_problem("weights", "has 9 bytes instead of 10");
}

TEST_F(Manifest, ThrowsWhenAFileOfTheSameSizeHasOtherContent) {
  folder.write("weights", "0123456798");
  expect_problem("weights", "is corrupt: its CRC-32 is");
}

TEST_F(Manifest, ThrowsWhenTheFolderHasNoManifest) {
  std::filesystem::remove(folder.path(manifest_file));
  expect_problem(manifest_file, "is missing: the folder is incomplete");
}

TEST_F(Manifest, ThrowsWhenTheManifestIsTruncated) {
  folder.write(manifest_file, folder.read(manifest_file).substr(0, 60));
  expect_problem(manifest_file, "is corrupt: ");
}

TEST_F(Manifest, ThrowsWhenTheManifestListsNoFiles) {
  write_manifest(folder.path(), {});
  expect_problem(manifest_file, "lists no files");
}

TEST_F(Manifest, WritingThrowsWithTheNameOfAMissingFile) {
  const auto message =
      message_of<ModelError>([&] { write_manifest(folder.path(), {"vocabulary"}); });
  EXPECT_NE(message.find("vocabulary"), std::string::npos) << message;
}

}  // namespace
}  // namespace tfm
