#include "tfm/core/decoded_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "compressed_file.h"
#include "temporary_folder.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/line_reader.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// Returns lines that compress badly, so that half of the file has about half of the lines.
std::vector<std::string> random_lines() {
  std::mt19937_64 random(3);
  std::vector<std::string> lines;
  for (int line = 0; line < 50000; ++line) lines.push_back(std::to_string(random()));
  return lines;
}

std::string join_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// Tests one compression, whose ending is the parameter.
class EveryCompression : public testing::TestWithParam<std::string_view> {
 protected:
  std::filesystem::path write(std::string_view content) const {
    return write_compressed(folder_, "text" + std::string(GetParam()), GetParam(), content);
  }
  std::string compressed(std::string_view content) const { return read_file(write(content)); }
  std::string error(const std::filesystem::path& file) const {
    return message_of<DataError>([&] { read_lines(file); });
  }

  TemporaryFolder folder_;
};

TEST_P(EveryCompression, IsDetectedFromTheContent) {
  const auto lines = random_lines();
  const auto file = write_compressed(folder_, "text.de", GetParam(), join_lines(lines));
  EXPECT_EQ(read_lines(file), lines);
}

TEST_P(EveryCompression, HasNoLinesIfTheTextIsEmpty) {
  EXPECT_THAT(read_lines(write("")), IsEmpty());
}

TEST_P(EveryCompression, MayConsistOfSeveralStreams) {
  const std::string two = compressed("a\nb") + compressed("c\nd\n");
  EXPECT_THAT(read_lines(folder_.write("two", two)), ElementsAre("a", "bc", "d"));
}

TEST_P(EveryCompression, CountsTheCompressedBytes) {
  DecodedFile file(write(join_lines(random_lines())));
  std::array<char, 1 << 16> buffer;
  while (file.read(buffer.data(), buffer.size(), "") > 0) continue;
  EXPECT_EQ(file.bytes_read(), static_cast<std::int64_t>(std::filesystem::file_size(file.file())));
}

TEST_P(EveryCompression, IsAnErrorWithFileAndLineIfTruncated) {
  const auto file = write(join_lines(random_lines()));
  const auto size = std::filesystem::file_size(file);
  for (const auto kept : {size - 1, size - 3, size / 2, std::uintmax_t{12}}) {
    std::filesystem::resize_file(file, kept);
    const std::string message = error(file);
    EXPECT_THAT(message, StartsWith(file.string() + ":")) << kept << " bytes of " << size;
    EXPECT_THAT(message, HasSubstr("truncated")) << kept << " bytes of " << size;
  }
}

TEST_P(EveryCompression, IsAnErrorIfCorrupt) {
  std::string bytes = compressed(join_lines(random_lines()));
  // libarchive writes Zstandard without a checksum: only damage to the structure is noticed.
  bytes.replace(GetParam() == ".zst" ? 5 : 1000, 7, "damaged");
  const auto file = folder_.write("text" + std::string(GetParam()), bytes);
  EXPECT_THAT(error(file), HasSubstr(" data is corrupt: "));
  EXPECT_THAT(error(file), HasSubstr("Fetch or compress it again."));
}

TEST_P(EveryCompression, IsAnErrorIfOtherBytesFollow) {
  const std::string whole = compressed("a\nb\n");
  EXPECT_THAT(error(folder_.write("text", whole + "more text\n")),
              StartsWith(folder_.path("text").string() + ":"));
}

TEST_P(EveryCompression, IsAnErrorIfTheNamePromisesItAndTheContentIsPlain) {
  const std::string name = "text" + std::string(GetParam());
  EXPECT_THAT(error(folder_.write(name, "a\n")),
              HasSubstr("although its name ends in " + std::string(GetParam())));
  EXPECT_THAT(error(folder_.write(name, "")), HasSubstr(name + ":1: is not a"));
}

// Two frames with the texts of the test below, written by the program zstd, which adds checksums.
constexpr std::string_view checked_zstd{
    "\x28\xb5\x2f\xfd\x04\x58\x49\x00\x00\x65\x69\x6e\x20\x62\x69\x65\x72\x0a\x77\x36\x11\xbc"
    "\x28\xb5\x2f\xfd\x04\x58\x29\x00\x00\x7a\x77\x65\x69\x0a\x01\xdb\xba\x42",
    40};

// Flips each bit of a file with two streams in turn. Reading must give the same lines or an error.
TEST_P(EveryCompression, NeverGivesWrongLinesIfABitIsFlipped) {
  const std::string whole = GetParam() == ".zst" ? std::string(checked_zstd)
                                                 : compressed("ein bier\n") + compressed("zwei\n");
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] ^= static_cast<char>(1 << bit % 8);
    try {
      EXPECT_THAT(read_lines(folder_.write("text" + std::string(GetParam()), flipped)),
                  ElementsAre("ein bier", "zwei"))
          << "bit " << bit;
    } catch (const DataError&) {
      continue;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(DecodedFile, EveryCompression, testing::ValuesIn(compressed_endings),
                         [](const auto& ending) { return std::string(ending.param.substr(1)); });

TEST(DecodedFile, TakesTextThatResemblesBzip2AsText) {
  TemporaryFolder folder;
  EXPECT_THAT(read_lines(folder.write("text", "BZh91 is a text\n")),
              ElementsAre("BZh91 is a text"));
  EXPECT_THAT(read_lines(folder.write("text", "BZh")), ElementsAre("BZh"));
}

TEST(WithoutCompressionEnding, RemovesOnlyTheEndingOfACompressedFile) {
  EXPECT_EQ(without_compression_ending("a/train.de.gz"), "a/train.de");
  EXPECT_EQ(without_compression_ending("train.zst"), "train");
  EXPECT_EQ(without_compression_ending("train.de"), "train.de");
  EXPECT_EQ(without_compression_ending("train"), "train");
}

}  // namespace
}  // namespace tfm
