#include <gtest/gtest.h>

#include "interop/zip.h"
#include "npz_file.h"
#include "property.h"

namespace tfm {
namespace {

struct Archive {
  std::map<std::string, std::string> contents;
  std::string bytes;
};

Archive any_archive() {
  // Names and contents have no 'P', so that no part of them looks like a header of the archive.
  const auto text = rc::gen::container<std::string>(rc::gen::element('a', 'b', '\0', '\n', '\xFF'));
  const auto entries = *rc::gen::container<std::map<std::string, std::pair<std::string, bool>>>(
      text, rc::gen::pair(text, rc::gen::arbitrary<bool>()));
  Archive archive;
  ZipWriter writer(*rc::gen::arbitrary<bool>());
  for (const auto& [name, entry] : entries) {
    writer.add(name, entry.first, entry.second);
    archive.contents[name] = entry.first;
  }
  archive.bytes = writer.bytes();
  return archive;
}

TEST(UnzipProperty, ReturnsTheEntriesThatWereWritten) {
  check_property(
      [] {
        const Archive archive = any_archive();
        RC_ASSERT(unzip(archive.bytes) == archive.contents);
      },
      100);
}

TEST(UnzipProperty, ThrowsMalformedArchiveForAnyTruncation) {
  check_property(
      [] {
        const Archive archive = any_archive();
        const auto size = *rc::gen::inRange<std::size_t>(0, archive.bytes.size());
        RC_ASSERT_THROWS_AS(unzip(archive.bytes.substr(0, size)), MalformedArchive);
      },
      100);
}

TEST(UnzipProperty, ThrowsOnlyMalformedArchiveForAnyCorruption) {
  check_property(
      [] {
        Archive archive = any_archive();
        const auto place = *rc::gen::inRange<std::size_t>(0, archive.bytes.size());
        archive.bytes[place] = *rc::gen::arbitrary<char>();
        try {
          unzip(archive.bytes);
        } catch (const MalformedArchive&) {
        }
      },
      100);
}

}  // namespace
}  // namespace tfm
