#include "documents/zip_archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample_documents.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Returns the message of the error, or an empty text.
std::string refusal(const std::string& bytes, const ArchiveLimits& limits = {}) {
  try {
    const ZipArchive archive("a.docx", bytes, limits);
    for (const auto& entry : archive.entries()) archive.read(entry);
    return {};
  } catch (const DataError& error) {
    return error.what();
  }
}

TEST(ZipArchive, ReplacesEntriesAndCopiesTheOthers) {
  const std::string text(5000, 'x');
  const auto bytes =
      make_zip({{"mimetype", "application/epub+zip"}, {"a.xml", text}, {"b/c", "d"}});
  const ZipArchive archive("a.epub", bytes, {});
  EXPECT_THAT(archive.entries(), ElementsAre("mimetype", "a.xml", "b/c"));
  EXPECT_EQ(archive.with_entries({}), bytes);
  const auto changed = archive.with_entries({{"a.xml", "new"}});
  EXPECT_EQ(zip_entry(changed, "a.xml"), "new");
  EXPECT_EQ(zip_entry(changed, "b/c"), "d");
  // The first entry of an EPUB must be at its place, and not compressed.
  EXPECT_EQ(changed.substr(0, 58), bytes.substr(0, 58));
  EXPECT_EQ(archive.with_entries({{"a.xml", "new"}}), changed);
}

TEST(ZipArchive, RefusesWhatExceedsTheLimits) {
  const auto bomb = make_zip({{"word/document.xml", std::string(std::size_t{2} << 20, ' ')}});
  EXPECT_THAT(refusal(bomb), HasSubstr("a.docx:word/document.xml: has 2097152 bytes"));
  const auto small = make_zip({{"a", "12345"}, {"b", "12345"}});
  EXPECT_EQ(refusal(small, {.entries = 2, .entry_bytes = 5, .total_bytes = 10}), "");
  EXPECT_THAT(refusal(small, {.entries = 1}), HasSubstr("has 2 entries; at most 1 are read"));
  EXPECT_THAT(refusal(small, {.entry_bytes = 4}), HasSubstr("a.docx:a: has 5 bytes"));
  EXPECT_THAT(refusal(small, {.total_bytes = 9}), HasSubstr("a.docx:b: has 5 bytes"));
}

TEST(ZipArchive, RefusesASizeThatIsNotTrue) {
  const std::string text(3000, 'x');
  auto bytes = make_zip({{"a", text}});
  const auto central = bytes.find("PK\x01\x02");
  bytes[central + 24] = 10;  // the size that the directory names: 10 instead of 3000
  bytes[central + 25] = 0;
  EXPECT_THAT(refusal(bytes), HasSubstr("a.docx:a: "));
}

TEST(ZipArchive, RefusesPathsThatLeaveTheArchive) {
  for (const char* path : {"../a", "b/../../a", "/etc/a", "..\\a", "c:\\a"})
    EXPECT_THAT(refusal(make_zip({{path, "x"}})), HasSubstr("is a path that leaves the archive"));
  EXPECT_EQ(refusal(make_zip({{"a/..b/c..", "x"}})), "");
}

TEST(ZipArchive, RefusesEncryptedAndDamagedArchives) {
  EXPECT_THAT(refusal(make_zip({{"a", "x"}}, "secret")), HasSubstr("a.docx:a: is encrypted"));
  EXPECT_THAT(refusal("\xD0\xCF\x11\xE0\xA1"), HasSubstr("is encrypted, or in the binary format"));
  const auto bytes = make_zip({{"a", std::string(5000, 'x')}, {"b", "y"}});
  EXPECT_THAT(refusal(bytes.substr(0, bytes.size() / 2)), HasSubstr("not a complete zip archive"));
  EXPECT_THAT(refusal(""), HasSubstr("a.docx: is empty"));
  auto damaged = bytes;
  damaged[40] = static_cast<char>(~damaged[40]);
  EXPECT_THAT(refusal(damaged), HasSubstr("a.docx:a: can't be unpacked"));
}

}  // namespace
}  // namespace tfm
