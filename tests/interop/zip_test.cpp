#include "interop/zip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "npz_file.h"

namespace tfm {
namespace {

using testing::HasSubstr;

template <class Call>
std::string archive_error(const Call& call) {
  try {
    call();
  } catch (const MalformedArchive& error) {
    return error.what();
  }
  return "no error";
}

TEST(ListZip, ReturnsEntriesOfBothKindsOfArchives) {
  for (const bool zip64 : {false, true}) {
    ZipWriter zip(zip64);
    zip.add("a", "first");
    zip.add("b", std::string(100, 'x'), /*deflate=*/true);
    const auto archive = zip.bytes();
    const auto entries = list_zip(archive);
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries.at("b").size, 100U);
    const auto stored = stored_bytes(archive, entries.at("a"));
    EXPECT_EQ(stored, "first");
    EXPECT_EQ(stored.data(), archive.data() + archive.find("first"));
    EXPECT_EQ(unzip(archive).at("b"), std::string(100, 'x'));
  }
}

TEST(ListZip, ThrowsWhenTwoEntriesHaveTheSameName) {
  ZipWriter zip;
  zip.add("a", "first");
  zip.add("a", "");
  EXPECT_THAT(archive_error([&] { list_zip(zip.bytes()); }), HasSubstr("'a' twice"));
}

TEST(ListZip, ThrowsWhenAZip64FieldIsTruncatedOrPointsOutside) {
  ZipWriter zip(/*zip64=*/true);
  zip.add("name", "content");
  const auto archive = zip.bytes();
  const auto field = archive.rfind("name") + 4;
  auto outside = archive;
  outside.replace(field + 12, 8, 8, '\xFF');  // the packed size
  EXPECT_THAT(archive_error([&] { list_zip(outside); }), HasSubstr("overlap"));
  outside = archive;
  outside.replace(field + 20, 8, 8, '\xFE');  // the position
  EXPECT_THAT(archive_error([&] { unzip(outside); }), HasSubstr("truncated"));
  auto small = archive;
  small[field + 2] = 8;
  EXPECT_THAT(archive_error([&] { list_zip(small); }), HasSubstr("truncated"));
  auto moved = archive;
  moved[archive.rfind("PK\x06\x07") + 8] = 0;
  EXPECT_THAT(archive_error([&] { list_zip(moved); }), HasSubstr("zip64 record"));
}

TEST(StoredBytes, ThrowsWhenTheEntryIsCompressedOrItsChecksumIsWrong) {
  ZipWriter zip;
  zip.add("a", "first");
  zip.add("b", "second", /*deflate=*/true);
  auto archive = zip.bytes();
  const auto entries = list_zip(archive);
  EXPECT_THAT(archive_error([&] { stored_bytes(archive, entries.at("b")); }),
              HasSubstr("is compressed"));
  archive[archive.find("first")] = 'F';
  EXPECT_THAT(archive_error([&] { stored_bytes(archive, entries.at("a")); }),
              HasSubstr("checksum"));
  auto unchecked = entries.at("a");
  unchecked.checksum = 0;
  EXPECT_EQ(stored_bytes(archive, unchecked), "First");
}

}  // namespace
}  // namespace tfm
